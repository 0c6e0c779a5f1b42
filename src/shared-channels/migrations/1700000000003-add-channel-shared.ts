import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBooleanColumn } from '../../platform/database/table-columns.js';

/** Adds the flag of channels that are shared. */
export class AddChannelShared1700000000003 implements MigrationInterface {
  readonly name = 'AddChannelShared1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    await addBooleanColumn(runner, 'channels', 'shared');
    await runner.query('UPDATE channels SET shared = 1 WHERE id IN (SELECT channel_id FROM shared_channels)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE channels DROP COLUMN shared');
  }
}
