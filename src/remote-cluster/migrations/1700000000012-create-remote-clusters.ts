import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  bool,
  createTable,
  empty,
  id,
  index,
  int,
  longText,
  primary,
  text,
  unique,
  zero,
} from '../../platform/database/table-columns.js';

/** Creates secure connections. */
export class CreateRemoteClusters1700000000012 implements MigrationInterface {
  readonly name = 'CreateRemoteClusters1700000000012';

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
        big('create_at'),
        big('delete_at'),
        big('last_ping_at'),
        text('topics', 512),
        id('creator_id'),
        text('plugin_id', 190),
        int('options'),
        big('invite_issued_at'),
        text('token_hash', 64),
        longText('sealed_token'),
        longText('sealed_remote_token'),
        big('pinged_until', zero),
        bool('is_announced_online', zero),
        big('last_heard_at', zero),
        big('presence_since', zero),
        text('own_site_url', 512, empty),
      ],
      [
        unique('ux_remote_clusters_live', 'live_id'),
        index('ix_remote_clusters_remote', 'remote_id', 'create_at'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('remote_clusters');
  }
}
