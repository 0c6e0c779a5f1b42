import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, index } from '../../../platform/database/table-columns.js';

const SHORT = index('ix_posts_channel_seq', 'channel_id', 'seq');
const COVERING = index(
  'ix_posts_channel_order',
  'channel_id',
  'seq',
  'id',
  'delete_at',
  'root_id',
  'original_id',
);

/** Finds the posts of a page without reading those before it. */
export class OrderPosts1795374402194 implements MigrationInterface {
  readonly name = 'OrderPosts1795374402194';

  async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'posts', COVERING);
    await dropIndex(runner, 'posts', SHORT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await addIndex(runner, 'posts', SHORT);
    await dropIndex(runner, 'posts', COVERING);
  }
}
