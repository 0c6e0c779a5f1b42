import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addColumns,
  big,
  createTable,
  empty,
  id,
  index,
  primary,
  text,
} from '../../platform/database/table-columns.js';

/** Adds the origin of webhooks, and the keys and pieces of their messages. */
export class AddIncomingMessages1795814000001 implements MigrationInterface {
  readonly name = 'AddIncomingMessages1795814000001';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, 'incoming_webhooks', [id('origin_id', empty)]);
    await runner.query(`UPDATE incoming_webhooks SET origin_id = id WHERE origin_id = ''`);
    await createTable(
      runner,
      'incoming_webhook_keys',
      [text('key_hash', 64, primary), id('origin_id'), id('post_id'), big('used_at')],
      [index('ix_incoming_webhook_keys_used', 'used_at')],
    );
    await createTable(
      runner,
      'incoming_webhook_pieces',
      [id('post_id', primary), id('message_id')],
      [index('ix_incoming_webhook_pieces_message', 'message_id')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['incoming_webhook_pieces', 'incoming_webhook_keys']) await runner.dropTable(table);
    await runner.query('ALTER TABLE incoming_webhooks DROP COLUMN origin_id');
  }
}
