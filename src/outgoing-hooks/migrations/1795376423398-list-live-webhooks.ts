import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../platform/database/table-columns.js';

const NEW = [
  index('ix_outgoing_webhooks_all', 'delete_at', 'create_at', 'id', 'team_id', 'creator_id', 'channel_id'),
  index(
    'ix_outgoing_webhooks_of_team',
    'team_id',
    'delete_at',
    'create_at',
    'id',
    'creator_id',
    'channel_id',
  ),
  index(
    'ix_outgoing_webhooks_of_channel',
    'channel_id',
    'delete_at',
    'create_at',
    'id',
    'creator_id',
    'team_id',
  ),
  index(
    'ix_outgoing_webhooks_of_creator',
    'creator_id',
    'delete_at',
    'create_at',
    'id',
    'team_id',
    'channel_id',
  ),
];
const OLD = [
  index('ix_outgoing_webhooks_team', 'team_id', 'create_at', 'id'),
  index('ix_outgoing_webhooks_live', 'team_id', 'delete_at', 'creator_id'),
  index('ix_outgoing_webhooks_create', 'create_at', 'id'),
  index('ix_outgoing_webhooks_channel', 'channel_id', 'create_at', 'id'),
  index('ix_outgoing_webhooks_creator', 'creator_id'),
];

/** Lists and counts the webhooks that are not deleted, of all, a team or an owner, without reading rows that are not listed. */
export class ListLiveWebhooks1795376423398 implements MigrationInterface {
  readonly name = 'ListLiveWebhooks1795376423398';

  async up(runner: QueryRunner): Promise<void> {
    for (const one of NEW) await addIndex(runner, 'outgoing_webhooks', one);
    for (const one of OLD) await dropIndex(runner, 'outgoing_webhooks', one);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const one of OLD) await addIndex(runner, 'outgoing_webhooks', one);
    for (const one of NEW) await dropIndex(runner, 'outgoing_webhooks', one);
  }
}
