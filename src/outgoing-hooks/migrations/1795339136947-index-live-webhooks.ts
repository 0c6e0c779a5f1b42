import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, index } from '../../platform/database/table-columns.js';

const LIVE = index('ix_outgoing_webhooks_live', 'team_id', 'delete_at', 'creator_id');

/** Counts the webhooks of a team without reading the deleted ones. */
export class IndexLiveWebhooks1795339136947 implements MigrationInterface {
  readonly name = 'IndexLiveWebhooks1795339136947';

  async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'outgoing_webhooks', LIVE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('outgoing_webhooks', LIVE.name ?? '');
  }
}
