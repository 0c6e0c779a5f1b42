import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, bool, index, zero } from '../../platform/database/table-columns.js';

/** Marks the keys whose message is resolved, and finds the keys of a webhook. */
export class ResolveKeys1795827600123 implements MigrationInterface {
  readonly name = 'ResolveKeys1795827600123';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(
      runner,
      'incoming_webhook_keys',
      [bool('is_resolved', zero)],
      [index('ix_incoming_webhook_keys_origin', 'origin_id')],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('incoming_webhook_keys', 'ix_incoming_webhook_keys_origin');
    await runner.query('ALTER TABLE incoming_webhook_keys DROP COLUMN is_resolved');
  }
}
