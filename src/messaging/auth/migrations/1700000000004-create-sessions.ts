import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  bool,
  createTable,
  foreignKey,
  id,
  index,
  json,
  primary,
  text,
  unique,
} from '../../../platform/database/table-columns.js';

/** Creates sessions and personal access tokens. */
export class CreateSessions1700000000004 implements MigrationInterface {
  readonly name = 'CreateSessions1700000000004';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'sessions',
      [
        id('id', primary),
        text('token_hash', 64),
        text('csrf_hash', 64),
        id('user_id'),
        big('create_at'),
        big('expires_at'),
        big('last_activity_at'),
        text('device_id', 512),
        json('props'),
      ],
      [unique('ux_sessions_token', 'token_hash'), index('ix_sessions_user', 'user_id')],
      [foreignKey('fk_sessions_user', 'user_id', 'users')],
    );
    await createTable(
      runner,
      'user_access_tokens',
      [
        id('id', primary),
        text('token_hash', 64),
        id('user_id'),
        text('description', 255),
        bool('is_active'),
        big('create_at'),
      ],
      [
        unique('ux_user_access_tokens_token', 'token_hash'),
        index('ix_user_access_tokens_created', 'create_at', 'id'),
        index('ix_user_access_tokens_of_user', 'user_id', 'create_at', 'id'),
      ],
      [foreignKey('fk_user_access_tokens_user', 'user_id', 'users')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['user_access_tokens', 'sessions']) await runner.dropTable(table);
  }
}
