import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addTextColumn } from '../../../platform/database/table-columns.js';

/** Adds what is kept of each call beside its result; empty for calls that were made before. */
export class DetailAttempts1795449233609 implements MigrationInterface {
  readonly name = 'DetailAttempts1795449233609';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'delivery_attempts', 'detail', 2_500);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('delivery_attempts', 'detail');
  }
}
