import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBigColumn } from '../../platform/database/table-columns.js';

/** Adds when a call of a webhook last failed. Those that fail now are noted with their next failure. */
export class NoteFailures1795375301518 implements MigrationInterface {
  readonly name = 'NoteFailures1795375301518';

  async up(runner: QueryRunner): Promise<void> {
    await addBigColumn(runner, 'outgoing_webhooks', 'last_failure_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outgoing_webhooks DROP COLUMN last_failure_at');
  }
}
