import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  bool,
  createTable,
  empty,
  foreignKey,
  id,
  index,
  int,
  json,
  longText,
  primary,
  text,
  times,
  unique,
  zero,
} from '../../../platform/database/table-columns.js';

/** Creates accounts and their preferences. */
export class CreateUsers1700000000003 implements MigrationInterface {
  readonly name = 'CreateUsers1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'users',
      [
        id('id', primary),
        ...times(),
        text('username', 64),
        text('password_hash', 255),
        text('email', 128),
        bool('email_verified'),
        text('nickname', 64),
        text('first_name', 64),
        text('last_name', 64),
        text('position', 128),
        text('roles', 256),
        json('props'),
        json('notify_props'),
        json('timezone'),
        text('locale', 5),
        big('last_password_update'),
        int('failed_attempts'),
        big('last_failed_at'),
        big('last_login'),
        id('remote_id', empty),
        text('email_source', 8, empty),
        bool('is_deactivated_here', zero),
        text('known_addresses', 255, empty),
        bool('is_bot', zero),
        id('bot_owner_id', empty),
        text('bot_description', 1024, empty),
      ],
      [
        unique('ux_users_username', 'username'),
        unique('ux_users_email', 'email'),
        index('ix_users_bot', 'is_bot', 'create_at', 'id'),
        index('ix_users_bot_owner', 'bot_owner_id'),
        index('ix_users_active', 'delete_at', 'username'),
        index('ix_users_remote', 'remote_id'),
      ],
    );
    await createTable(
      runner,
      'preferences',
      [id('user_id', primary), text('category', 32, primary), text('name', 32, primary), longText('value')],
      [],
      [foreignKey('fk_preferences_user', 'user_id', 'users')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['preferences', 'users']) await runner.dropTable(table);
  }
}
