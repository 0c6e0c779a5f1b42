import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, json, text } from '../../table-columns.js';

/** The log by which processes that share a database learn what the others have changed. */
export class CreateChanges1795420800000 implements MigrationInterface {
  readonly name = 'CreateChanges1795420800000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'changes', [
      big('seq', { isPrimary: true }),
      id('origin'),
      text('topic', 64),
      json('body'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('changes');
  }
}
