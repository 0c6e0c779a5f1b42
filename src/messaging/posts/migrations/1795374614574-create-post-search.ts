import type { MigrationInterface, QueryRunner } from 'typeorm';
import { big, bytes, createTable, id, int } from '../../../platform/database/table-columns.js';

const primary = { isPrimary: true };

/** Adds the search index of posts. It is filled in the background. */
export class CreatePostSearch1795374614574 implements MigrationInterface {
  readonly name = 'CreatePostSearch1795374614574';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(runner, 'post_search_blocks', [
      id('channel_id', primary),
      big('from_seq', primary),
      big('to_seq'),
      int('posts'),
      bytes('authors'),
      bytes('entries'),
      bytes('messages'),
    ]);
    await createTable(runner, 'post_search_edits', [id('channel_id', primary), big('edits')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('post_search_edits');
    await runner.dropTable('post_search_blocks');
  }
}
