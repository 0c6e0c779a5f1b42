import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  bool,
  createTable,
  foreignKey,
  id,
  index,
  int,
  json,
  longText,
  text,
  unique,
} from '../../platform/database/table-columns.js';

const primary = { isPrimary: true };
const times = () => [big('create_at'), big('update_at'), big('delete_at')];

/** Every table of the first version: accounts, teams, channels, posts, incoming webhooks and the audit log together. */
export class CreateCore1700000000000 implements MigrationInterface {
  readonly name = 'CreateCore1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'roles',
      [
        id('id', primary),
        text('name', 64),
        text('display_name', 128),
        longText('description'),
        ...times(),
        json('permissions'),
        bool('scheme_managed'),
        bool('built_in'),
      ],
      [unique('ux_roles_name', 'name')],
    );
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
      ],
      [unique('ux_users_username', 'username'), unique('ux_users_email', 'email')],
    );
    await createTable(
      runner,
      'preferences',
      [id('user_id', primary), text('category', 32, primary), text('name', 32, primary), longText('value')],
      [],
      [foreignKey('fk_preferences_user', 'user_id', 'users')],
    );
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
      [unique('ux_user_access_tokens_token', 'token_hash'), index('ix_user_access_tokens_user', 'user_id')],
      [foreignKey('fk_user_access_tokens_user', 'user_id', 'users')],
    );
    await createTable(
      runner,
      'teams',
      [
        id('id', primary),
        ...times(),
        text('display_name', 64),
        text('name', 64),
        text('description', 255),
        text('email', 128),
        text('type', 1),
        text('company_name', 64),
        text('allowed_domains', 500),
        id('invite_id'),
        bool('allow_open_invite'),
      ],
      [unique('ux_teams_name', 'name'), index('ix_teams_invite', 'invite_id')],
    );
    await createTable(
      runner,
      'team_members',
      [
        id('team_id', primary),
        id('user_id', primary),
        text('explicit_roles', 256),
        bool('scheme_guest'),
        bool('scheme_user'),
        bool('scheme_admin'),
        big('create_at'),
        big('delete_at'),
      ],
      [index('ix_team_members_user', 'user_id')],
      [
        foreignKey('fk_team_members_team', 'team_id', 'teams'),
        foreignKey('fk_team_members_user', 'user_id', 'users'),
      ],
    );
    await createTable(
      runner,
      'channels',
      [
        id('id', primary),
        ...times(),
        id('team_id'),
        text('type', 1),
        text('display_name', 64),
        text('name', 64),
        longText('header'),
        text('purpose', 250),
        id('creator_id'),
        big('last_post_at'),
        int('total_msg_count'),
        big('last_root_post_at'),
        int('total_msg_count_root'),
      ],
      [unique('ux_channels_team_name', 'team_id', 'name')],
    );
    await createTable(
      runner,
      'channel_members',
      [
        id('channel_id', primary),
        id('user_id', primary),
        text('explicit_roles', 256),
        bool('scheme_guest'),
        bool('scheme_user'),
        bool('scheme_admin'),
        big('last_viewed_at'),
        int('msg_count'),
        int('msg_count_root'),
        int('mention_count'),
        int('mention_count_root'),
        json('notify_props'),
        big('last_update_at'),
      ],
      [index('ix_channel_members_user', 'user_id')],
      [
        foreignKey('fk_channel_members_channel', 'channel_id', 'channels'),
        foreignKey('fk_channel_members_user', 'user_id', 'users'),
      ],
    );
    await createTable(
      runner,
      'posts',
      [
        id('id', primary),
        big('seq'),
        big('create_at'),
        big('update_at'),
        big('edit_at'),
        big('delete_at'),
        id('user_id'),
        id('channel_id'),
        id('root_id'),
        id('original_id'),
        longText('message'),
        text('type', 26),
        json('props'),
        text('hashtags', 1000),
        bool('is_pinned'),
        text('pending_post_id', 128),
        json('metadata'),
        int('reply_count'),
        big('last_reply_at'),
      ],
      [
        index('ix_posts_channel_seq', 'channel_id', 'seq'),
        index('ix_posts_channel_update', 'channel_id', 'update_at'),
        index('ix_posts_root_seq', 'root_id', 'seq'),
        // MySQL knows no partial indexes and leaves the condition out.
        { ...index('ix_posts_channel_pinned', 'channel_id', 'is_pinned', 'seq'), where: 'is_pinned = 1' },
      ],
    );
    await createTable(
      runner,
      'idempotency_keys',
      [text('key_hash', 64, primary), big('create_at'), json('post_ids')],
      [index('ix_idempotency_keys_create', 'create_at')],
    );
    await createTable(
      runner,
      'incoming_webhooks',
      [
        id('id', primary),
        ...times(),
        id('user_id'),
        id('channel_id'),
        id('team_id'),
        text('display_name', 64),
        text('description', 500),
        text('username', 64),
        longText('icon_url'),
        bool('channel_locked'),
        big('last_used'),
      ],
      [
        index('ix_incoming_webhooks_team', 'team_id', 'create_at', 'id'),
        index('ix_incoming_webhooks_create', 'create_at', 'id'),
        index('ix_incoming_webhooks_channel', 'channel_id'),
      ],
    );
    await createTable(
      runner,
      'audits',
      [
        id('id', primary),
        big('create_at'),
        id('user_id'),
        text('action', 64),
        text('target', 128),
        text('result', 16),
        int('status'),
        text('error_id', 128),
        id('request_id'),
        text('address', 64),
      ],
      [index('ix_audits_create', 'create_at', 'id')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table);
  }
}

/** In the order in which they can be dropped. */
const TABLES = [
  'audits',
  'incoming_webhooks',
  'idempotency_keys',
  'posts',
  'channel_members',
  'channels',
  'team_members',
  'teams',
  'user_access_tokens',
  'sessions',
  'preferences',
  'users',
  'roles',
];
