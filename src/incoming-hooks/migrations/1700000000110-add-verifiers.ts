import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, empty, text } from '../../platform/database/table-columns.js';

const TABLE = 'incoming_webhooks';

/** Adds the verifiers of incoming webhooks. */
export class AddVerifiers1700000000110 implements MigrationInterface {
  readonly name = 'AddVerifiers1700000000110';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, TABLE, [
      text('verifier', 4096, empty),
      text('sealed_verifier_secrets', 2048, empty),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns(TABLE, ['verifier', 'sealed_verifier_secrets']);
  }
}
