import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  bool,
  createTable,
  empty,
  id,
  index,
  longText,
  primary,
  text,
  times,
  unique,
  zero,
} from '../../platform/database/table-columns.js';

/** Creates the tables of shared channels and their shares. */
export class CreateSharedChannels1700000000013 implements MigrationInterface {
  readonly name = 'CreateSharedChannels1700000000013';

  async up(runner: QueryRunner): Promise<void> {
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
        ...times(),
        bool('is_from_peer'),
        bool('is_invite_accepted'),
        bool('is_invite_confirmed'),
        big('last_post_update_at'),
        id('last_post_id'),
        big('last_post_create_at'),
        id('last_post_create_id'),
        bool('is_withdrawn', zero),
        text('invite_error', 255, empty),
      ],
      [
        unique('ux_shared_channel_remotes_channel', 'channel_id', 'remote_id'),
        index('ix_shared_channel_remotes_remote', 'remote_id', 'create_at', 'id'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['shared_channel_remotes', 'shared_channels']) await runner.dropTable(table);
  }
}
