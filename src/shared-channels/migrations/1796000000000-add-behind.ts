import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, bool, zero } from '../../platform/database/table-columns.js';

/** Adds shares whose posts another server has not sent. */
export class AddBehind1796000000000 implements MigrationInterface {
  readonly name = 'AddBehind1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, 'shared_channel_remotes', [bool('is_behind', zero)]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('shared_channel_remotes', 'is_behind');
  }
}
