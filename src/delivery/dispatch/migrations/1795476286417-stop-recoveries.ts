import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBooleanColumn } from '../../../platform/database/table-columns.js';

/** Adds whether a recovery was ended before its end. */
export class StopRecoveries1795476286417 implements MigrationInterface {
  readonly name = 'StopRecoveries1795476286417';

  async up(runner: QueryRunner): Promise<void> {
    await addBooleanColumn(runner, 'delivery_recoveries', 'is_stopped');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('delivery_recoveries', 'is_stopped');
  }
}
