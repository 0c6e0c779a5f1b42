import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  big,
  bool,
  bytes,
  createTable,
  empty,
  id,
  index,
  int,
  json,
  longText,
  primary,
  text,
} from '../../../platform/database/table-columns.js';

/** Creates posts, idempotency keys, and the search index, which is filled in the background. */
export class CreatePosts1700000000007 implements MigrationInterface {
  readonly name = 'CreatePosts1700000000007';

  async up(runner: QueryRunner): Promise<void> {
    await createTable(
      runner,
      'posts',
      [
        id('id', primary),
        big('seq'),
        big('create_at'),
        big('update_at'),
        big('edit_at'),
        big('delete_at'),
        id('user_id'),
        id('channel_id'),
        id('root_id'),
        id('original_id'),
        longText('message'),
        text('type', 26),
        json('props'),
        text('hashtags', 1000),
        bool('is_pinned'),
        text('pending_post_id', 128),
        json('metadata'),
        int('reply_count'),
        big('last_reply_at'),
        id('remote_id', empty),
      ],
      [
        index('ix_posts_channel_update', 'channel_id', 'update_at'),
        index('ix_posts_root_seq', 'root_id', 'seq'),
        // MySQL has no partial indexes and ignores the condition.
        { ...index('ix_posts_channel_pinned', 'channel_id', 'is_pinned', 'seq'), where: 'is_pinned = 1' },
        index('ix_posts_channel_order', 'channel_id', 'seq', 'id', 'delete_at', 'root_id', 'original_id'),
      ],
    );
    await createTable(
      runner,
      'idempotency_keys',
      [text('key_hash', 64, primary), big('create_at'), json('post_ids')],
      [index('ix_idempotency_keys_create', 'create_at')],
    );
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
    for (const table of ['post_search_edits', 'post_search_blocks', 'idempotency_keys', 'posts'])
      await runner.dropTable(table);
  }
}
