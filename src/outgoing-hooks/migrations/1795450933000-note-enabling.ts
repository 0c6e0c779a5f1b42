import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addBigColumn } from '../../platform/database/table-columns.js';

/** Adds when a webhook was last enabled; 0 where that is not known. */
export class NoteEnabling1795450933000 implements MigrationInterface {
  readonly name = 'NoteEnabling1795450933000';

  async up(runner: QueryRunner): Promise<void> {
    await addBigColumn(runner, 'outgoing_webhooks', 'enabled_at');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn('outgoing_webhooks', 'enabled_at');
  }
}
