import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, index, int, primary } from '../../platform/database/table-columns.js';

/** Adds the previous URLs of webhooks. */
export class AddPreviousUrls1795900000000 implements MigrationInterface {
  readonly name = 'AddPreviousUrls1795900000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'incoming_webhook_previous_urls',
      [id('id', primary), id('hook_id'), big('create_at'), big('expires_at'), int('uses'), big('last_used')],
      [
        index('ix_incoming_webhook_previous_urls_hook', 'hook_id', 'create_at'),
        index('ix_incoming_webhook_previous_urls_expires', 'expires_at'),
      ],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('incoming_webhook_previous_urls');
  }
}
