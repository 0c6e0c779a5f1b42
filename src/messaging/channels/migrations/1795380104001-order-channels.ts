import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../../platform/database/table-columns.js';

const NEW = [
  ['channels', index('ix_channels_display', 'type', 'display_name', 'id', 'delete_at')],
  ['channels', index('ix_channels_of_team', 'team_id', 'type', 'display_name', 'id', 'delete_at')],
  ['channel_members', index('ix_channel_members_of_user', 'user_id', 'channel_id')],
] as const;
const OLD = [['channel_members', index('ix_channel_members_user', 'user_id')]] as const;

/** Lists the channels of a team, or of all, by their names, and finds the channels of a person. */
export class OrderChannels1795380104001 implements MigrationInterface {
  readonly name = 'OrderChannels1795380104001';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, one] of NEW) await addIndex(runner, table, one);
    for (const [table, one] of OLD) await dropIndex(runner, table, one);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, one] of OLD) await addIndex(runner, table, one);
    for (const [table, one] of NEW) await dropIndex(runner, table, one);
  }
}
