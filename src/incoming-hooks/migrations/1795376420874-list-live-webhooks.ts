import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../platform/database/table-columns.js';

const NEW = [
  index('ix_incoming_webhooks_all', 'delete_at', 'create_at', 'id', 'team_id', 'user_id', 'channel_id'),
  index('ix_incoming_webhooks_of_team', 'team_id', 'delete_at', 'create_at', 'id', 'user_id', 'channel_id'),
  index('ix_incoming_webhooks_of_user', 'user_id', 'delete_at', 'create_at', 'id', 'team_id', 'channel_id'),
];
const OLD = [
  index('ix_incoming_webhooks_team', 'team_id', 'create_at', 'id'),
  index('ix_incoming_webhooks_live', 'team_id', 'delete_at', 'user_id'),
  index('ix_incoming_webhooks_create', 'create_at', 'id'),
];

/** Lists and counts the webhooks that are not deleted, of all, a team or an owner, without reading rows that are not listed. */
export class ListLiveWebhooks1795376420874 implements MigrationInterface {
  readonly name = 'ListLiveWebhooks1795376420874';

  async up(runner: QueryRunner): Promise<void> {
    for (const one of NEW) await addIndex(runner, 'incoming_webhooks', one);
    for (const one of OLD) await dropIndex(runner, 'incoming_webhooks', one);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const one of OLD) await addIndex(runner, 'incoming_webhooks', one);
    for (const one of NEW) await dropIndex(runner, 'incoming_webhooks', one);
  }
}
