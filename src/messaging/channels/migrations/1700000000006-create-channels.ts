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
  primary,
  text,
  times,
  unique,
  zero,
} from '../../../platform/database/table-columns.js';

/** Creates channels and their members. */
export class CreateChannels1700000000006 implements MigrationInterface {
  readonly name = 'CreateChannels1700000000006';

  async up(runner: QueryRunner): Promise<void> {
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
        bool('shared', zero),
        big('last_seq', zero),
      ],
      [
        unique('ux_channels_team_name', 'team_id', 'name'),
        index('ix_channels_display', 'type', 'display_name', 'id', 'delete_at'),
        index('ix_channels_of_team', 'team_id', 'type', 'display_name', 'id', 'delete_at'),
      ],
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
      [index('ix_channel_members_of_user', 'user_id', 'channel_id')],
      [
        foreignKey('fk_channel_members_channel', 'channel_id', 'channels'),
        foreignKey('fk_channel_members_user', 'user_id', 'users'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['channel_members', 'channels']) await runner.dropTable(table);
  }
}
