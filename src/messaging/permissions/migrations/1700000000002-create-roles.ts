import type { MigrationInterface, QueryRunner } from 'typeorm';
import { newId } from '../../../platform/common/ids.js';
import {
  bool,
  createTable,
  id,
  json,
  longText,
  primary,
  text,
  times,
  unique,
} from '../../../platform/database/table-columns.js';

/**
 * Creates the roles table and the built-in roles with their initial permissions. The lists are frozen:
 * permissions declared later are granted at the next start.
 */
export class CreateRoles1700000000002 implements MigrationInterface {
  readonly name = 'CreateRoles1700000000002';

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
    await createTable(runner, 'granted_permissions', [text('permission', 64, primary)]);
    const roles = await existing(runner, 'roles', 'name');
    for (const [name, permissions] of Object.entries(ROLES)) {
      if (!roles.has(name)) await insertRole(runner, name, permissions);
    }
    const granted = await existing(runner, 'granted_permissions', 'permission');
    for (const permission of ALL) {
      if (!granted.has(permission))
        await runner.query('INSERT INTO granted_permissions (permission) VALUES (?)', [permission]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['granted_permissions', 'roles']) await runner.dropTable(table);
  }
}

/** An interrupted run may have left rows, because MySQL does not roll back a CREATE TABLE. */
async function existing(runner: QueryRunner, table: string, column: string): Promise<ReadonlySet<string>> {
  const rows = (await runner.query(`SELECT ${column} AS name FROM ${table}`)) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}

async function insertRole(runner: QueryRunner, name: string, permissions: readonly string[]): Promise<void> {
  const now = Date.now();
  await runner.query(
    `INSERT INTO roles (id, name, display_name, description, create_at, update_at, delete_at, permissions, scheme_managed, built_in)
     VALUES (?, ?, ?, '', ?, ?, 0, ?, 1, 1)`,
    [newId(), name, name.replaceAll('_', ' '), now, now, JSON.stringify(permissions)],
  );
}

const ALL = [
  'manage_system',
  'manage_roles',
  'edit_other_users',
  'read_other_users_teams',
  'sysconsole_read_user_management_users',
  'sysconsole_write_user_management_users',
  'sysconsole_write_user_management_permissions',
  'sysconsole_write_user_management_system_roles',
  'read_audits',
  'manage_secure_connections',
  'manage_shared_channels',
  'manage_webhooks',
  'manage_others_incoming_webhooks',
  'manage_others_outgoing_webhooks',
  'bypass_incoming_webhook_channel_lock',
  'create_user_access_token',
  'read_user_access_token',
  'revoke_user_access_token',
  'list_public_teams',
  'list_private_teams',
  'join_public_teams',
  'join_private_teams',
  'create_team',
  'manage_team',
  'manage_team_roles',
  'import_team',
  'view_team',
  'view_members',
  'invite_user',
  'add_user_to_team',
  'remove_user_from_team',
  'list_team_channels',
  'join_public_channels',
  'read_public_channel',
  'create_public_channel',
  'create_private_channel',
  'create_direct_channel',
  'create_group_channel',
  'manage_channel_roles',
  'manage_public_channel_members',
  'manage_private_channel_members',
  'manage_public_channel_properties',
  'manage_private_channel_properties',
  'delete_public_channel',
  'delete_private_channel',
  'convert_public_channel_to_private',
  'convert_private_channel_to_public',
  'read_channel',
  'read_channel_content',
  'create_post',
  'create_post_public',
  'edit_post',
  'edit_others_posts',
  'delete_post',
  'delete_others_posts',
  'add_reaction',
  'remove_reaction',
  'upload_file',
  'get_public_link',
  'use_channel_mentions',
  'use_group_mentions',
];

const ROLES: Readonly<Record<string, readonly string[]>> = {
  system_admin: ALL,
  system_user: [
    'list_public_teams',
    'join_public_teams',
    'create_direct_channel',
    'create_group_channel',
    'view_members',
    'create_team',
  ],
  system_user_access_token: [
    'create_user_access_token',
    'read_user_access_token',
    'revoke_user_access_token',
  ],
  system_post_all: ['create_post', 'use_channel_mentions'],
  system_post_all_public: ['create_post_public', 'use_channel_mentions'],
  team_user: [
    'list_team_channels',
    'join_public_channels',
    'read_public_channel',
    'view_team',
    'create_public_channel',
    'create_private_channel',
    'invite_user',
    'add_user_to_team',
  ],
  team_admin: [
    'manage_team',
    'manage_team_roles',
    'manage_channel_roles',
    'remove_user_from_team',
    'import_team',
    'manage_webhooks',
    'manage_others_incoming_webhooks',
    'manage_others_outgoing_webhooks',
    'bypass_incoming_webhook_channel_lock',
    'convert_public_channel_to_private',
    'convert_private_channel_to_public',
    'delete_post',
    'delete_others_posts',
  ],
  team_post_all: ['create_post', 'use_channel_mentions'],
  team_post_all_public: ['create_post_public', 'use_channel_mentions'],
  channel_user: [
    'read_channel',
    'read_channel_content',
    'add_reaction',
    'remove_reaction',
    'manage_public_channel_members',
    'manage_private_channel_members',
    'manage_public_channel_properties',
    'manage_private_channel_properties',
    'delete_public_channel',
    'delete_private_channel',
    'upload_file',
    'get_public_link',
    'create_post',
    'edit_post',
    'delete_post',
    'use_channel_mentions',
  ],
  channel_admin: ['manage_channel_roles', 'use_group_mentions'],
};
