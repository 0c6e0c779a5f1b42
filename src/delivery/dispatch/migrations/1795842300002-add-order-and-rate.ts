import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, big, createTable, id, primary, zero } from '../../../platform/database/table-columns.js';

/** Adds when an ordered lane continues after a failure, and the rates of owners. */
export class AddOrderAndRate1795842300002 implements MigrationInterface {
  readonly name = 'AddOrderAndRate1795842300002';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, 'deliveries', [big('retry_at', zero)]);
    await createTable(runner, 'call_rates', [id('owner_id', primary), big('used_until')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('call_rates');
    await runner.dropColumn('deliveries', 'retry_at');
  }
}
