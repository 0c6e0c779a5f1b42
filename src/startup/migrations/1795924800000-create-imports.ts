import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, createTable, id, json, primary, text } from '../../platform/database/table-columns.js';

/** Creates the progress of imports from other servers. */
export class CreateImports1795924800000 implements MigrationInterface {
  readonly name = 'CreateImports1795924800000';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'imports', [
      text('source', 255, primary),
      big('started_at'),
      big('finished_at'),
      big('cursor_time'),
      id('cursor_id'),
      big('posts_read'),
      big('posts_moved'),
      json('left_out'),
      json('notes'),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('imports');
  }
}
