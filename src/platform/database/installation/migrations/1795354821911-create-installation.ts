import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, text } from '../../table-columns.js';

/** Keeps which database this is, and which keys its sealed texts need. The start adds the row. */
export class CreateInstallation1795354821911 implements MigrationInterface {
  readonly name = 'CreateInstallation1795354821911';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'installation', [
      id('id', { isPrimary: true }),
      big('create_at'),
      text('key_ids', 255),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('installation');
  }
}
