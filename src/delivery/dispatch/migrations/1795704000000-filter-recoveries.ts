import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addTextColumn } from '../../../platform/database/table-columns.js';

/** Adds the filter of a recovery. */
export class FilterRecoveries1795704000000 implements MigrationInterface {
  readonly name = 'FilterRecoveries1795704000000';

  async up(runner: QueryRunner): Promise<void> {
    await addTextColumn(runner, 'delivery_recoveries', 'filter', 1_000);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('delivery_recoveries', 'filter');
  }
}
