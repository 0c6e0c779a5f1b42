import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, empty, int, text, zero } from '../../platform/database/table-columns.js';

const TABLE = 'outgoing_webhooks';

/** Adds the order and the rate of the calls of outgoing webhooks. */
export class AddPace1795842300001 implements MigrationInterface {
  readonly name = 'AddPace1795842300001';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, TABLE, [text('ordering', 16, empty), int('requests_per_second', zero)]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns(TABLE, ['ordering', 'requests_per_second']);
  }
}
