import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, json, primary, text } from '../../table-columns.js';

/** Creates the tables of the database layer: installation, change log and shared schedules. */
export class CreateInstallation1700000000000 implements MigrationInterface {
  readonly name = 'CreateInstallation1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'installation', [id('id', primary), big('create_at'), text('key_ids', 255)]);
    await createTable(runner, 'changes', [
      big('seq', primary),
      id('origin'),
      text('topic', 64),
      json('body'),
    ]);
    await createTable(runner, 'schedules', [text('name', 64, primary), big('next_at'), id('runner')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['schedules', 'changes', 'installation']) await runner.dropTable(table);
  }
}
