import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addBooleanColumn,
  addIndex,
  addTextColumn,
  index,
} from '../../../platform/database/table-columns.js';

/** Adds which accounts are bots, who manages them, and what they are for. */
export class AddBots1795354990000 implements MigrationInterface {
  readonly name = 'AddBots1795354990000';

  async up(runner: QueryRunner): Promise<void> {
    await addBooleanColumn(runner, 'users', 'is_bot');
    await addTextColumn(runner, 'users', 'bot_owner_id', 26);
    await addTextColumn(runner, 'users', 'bot_description', 1024);
    await addIndex(runner, 'users', index('ix_users_bot', 'is_bot', 'create_at', 'id'));
    await addIndex(runner, 'users', index('ix_users_bot_owner', 'bot_owner_id'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('users', 'ix_users_bot_owner');
    await runner.dropIndex('users', 'ix_users_bot');
    for (const column of ['bot_description', 'bot_owner_id', 'is_bot'])
      await runner.query(`ALTER TABLE users DROP COLUMN ${column}`);
  }
}
