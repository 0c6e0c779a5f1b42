import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, emptyText, longText, text } from '../../platform/database/table-columns.js';

/** Adds the format of the calls to incoming webhooks. */
export class AddFormats1700000000202 implements MigrationInterface {
  readonly name = 'AddFormats1700000000202';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, 'incoming_webhooks', [
      text('format', 32, { default: "'mattermost'" }),
      longText('template', emptyText),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('incoming_webhooks', ['format', 'template']);
  }
}
