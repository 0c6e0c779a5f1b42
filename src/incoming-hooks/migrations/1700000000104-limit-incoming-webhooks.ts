import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, big, index, int, zero } from '../../platform/database/table-columns.js';

const TABLE = 'incoming_webhooks';
const INDEX = 'ix_incoming_webhooks_expires';

/** Adds the expiry of incoming webhooks and their limit of calls. */
export class LimitIncomingWebhooks1700000000104 implements MigrationInterface {
  readonly name = 'LimitIncomingWebhooks1700000000104';

  async up(runner: QueryRunner): Promise<void> {
    const columns = [big('expires_at', zero), int('expiry_reminders', zero), int('rate_limit', zero)];
    await addColumns(runner, TABLE, columns, [index(INDEX, 'expires_at')]);
  }

  async down(): Promise<void> {}
}
