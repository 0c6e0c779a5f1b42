import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBooleanColumn } from '../../platform/database/table-columns.js';

/** Adds whether a share was ended by this side. Of stored shares nobody knows, so their peers may share them again. */
export class AddShareWithdrawals1795342952603 implements MigrationInterface {
  readonly name = 'AddShareWithdrawals1795342952603';

  async up(runner: QueryRunner): Promise<void> {
    await addBooleanColumn(runner, 'shared_channel_remotes', 'is_withdrawn');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE shared_channel_remotes DROP COLUMN is_withdrawn');
  }
}
