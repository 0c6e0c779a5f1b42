import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, index } from '../../platform/database/table-columns.js';

const LIVE = index('ix_incoming_webhooks_live', 'team_id', 'delete_at', 'user_id');

/** Counts the webhooks of a team without reading the deleted ones. */
export class IndexLiveWebhooks1795339137324 implements MigrationInterface {
  readonly name = 'IndexLiveWebhooks1795339137324';

  async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'incoming_webhooks', LIVE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('incoming_webhooks', LIVE.name ?? '');
  }
}
