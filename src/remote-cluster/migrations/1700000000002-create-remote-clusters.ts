import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addTextColumn,
  big,
  bool,
  createTable,
  id,
  index,
  int,
  longText,
  text,
  unique,
} from '../../platform/database/table-columns.js';

const primary = { isPrimary: true };

/** Creates secure connections and shared channels, the origin of users and posts, and the parameters of audit rows. */
export class CreateRemoteClusters1700000000002 implements MigrationInterface {
  readonly name = 'CreateRemoteClusters1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'remote_clusters',
      [
        id('id', primary),
        id('remote_id'),
        id('live_id'),
        text('state', 16),
        text('name', 64),
        text('display_name', 64),
        text('site_url', 512),
        id('default_team_id'),
        ...['create_at', 'delete_at', 'last_ping_at'].map((name) => big(name)),
        text('topics', 512),
        id('creator_id'),
        text('plugin_id', 190),
        int('options'),
        big('invite_issued_at'),
        text('token_hash', 64),
        longText('sealed_token'),
        longText('sealed_remote_token'),
      ],
      [
        unique('ux_remote_clusters_live', 'live_id'),
        index('ix_remote_clusters_remote', 'remote_id', 'create_at'),
      ],
    );
    await createTable(
      runner,
      'shared_channels',
      [
        id('channel_id', primary),
        id('team_id'),
        bool('home'),
        bool('readonly'),
        text('name', 64),
        text('display_name', 64),
        text('purpose', 250),
        longText('header'),
        id('creator_id'),
        big('create_at'),
        big('update_at'),
        id('remote_id'),
        text('type', 1),
      ],
      [index('ix_shared_channels_team', 'team_id', 'channel_id')],
    );
    await createTable(
      runner,
      'shared_channel_remotes',
      [
        id('id', primary),
        id('channel_id'),
        id('remote_id'),
        id('creator_id'),
        ...['create_at', 'update_at', 'delete_at'].map((name) => big(name)),
        bool('is_from_peer'),
        bool('is_invite_accepted'),
        bool('is_invite_confirmed'),
        big('last_post_update_at'),
        id('last_post_id'),
        big('last_post_create_at'),
        id('last_post_create_id'),
      ],
      [
        unique('ux_shared_channel_remotes_channel', 'channel_id', 'remote_id'),
        index('ix_shared_channel_remotes_remote', 'remote_id', 'create_at', 'id'),
      ],
    );
    for (const table of ['users', 'posts']) await addTextColumn(runner, table, 'remote_id', 26);
    await addTextColumn(runner, 'audits', 'parameters', 1000);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audits DROP COLUMN parameters');
    for (const table of ['users', 'posts']) await runner.query(`ALTER TABLE ${table} DROP COLUMN remote_id`);
    for (const table of ['shared_channel_remotes', 'shared_channels', 'remote_clusters'])
      await runner.dropTable(table);
  }
}
