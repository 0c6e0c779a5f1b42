import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialect } from '../../../platform/config/settings.js';
import {
  big,
  bool,
  createTable,
  empty,
  id,
  index,
  int,
  json,
  searchedText,
  primary,
  text,
} from '../../../platform/database/table-columns.js';

/** Creates posts with their full-text index, and idempotency keys. */
export class CreatePosts1700000000007 implements MigrationInterface {
  readonly name = 'CreatePosts1700000000007';

  async up(runner: QueryRunner): Promise<void> {
    // The full-text index remembers it.
    if (dialect === 'mysql') await runner.query('SET SESSION innodb_ft_enable_stopword = OFF');
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
        searchedText('message'),
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
        ...(dialect === 'mysql' ? [{ ...index('ix_posts_message', 'message'), isFulltext: true }] : []),
        index('ix_posts_channel_order', 'channel_id', 'seq', 'id', 'delete_at', 'root_id', 'original_id'),
      ],
    );
    if (dialect === 'mysql') await runner.query('SET SESSION innodb_ft_enable_stopword = DEFAULT');
    await createTable(
      runner,
      'idempotency_keys',
      [text('key_hash', 64, primary), big('create_at'), json('post_ids')],
      [index('ix_idempotency_keys_create', 'create_at')],
    );
    if (dialect === 'sqlite') await createSearchIndex(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['idempotency_keys', 'posts']) await runner.dropTable(table);
    if (dialect === 'sqlite') await runner.query('DROP TABLE post_search');
  }
}

/** The full-text index of SQLite; triggers follow edits and deletions (docs/decisions/0046-full-text-search.md). */
async function createSearchIndex(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE VIRTUAL TABLE IF NOT EXISTS post_search USING
    fts5(message, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2')`);
  await runner.query(`CREATE TRIGGER IF NOT EXISTS post_search_update AFTER UPDATE OF message, delete_at ON posts
    WHEN new.message <> old.message OR new.delete_at <> old.delete_at BEGIN
      DELETE FROM post_search WHERE rowid = old.rowid;
      INSERT INTO post_search (rowid, message) SELECT new.rowid, new.message WHERE new.delete_at = 0;
    END`);
  await runner.query(`CREATE TRIGGER IF NOT EXISTS post_search_delete AFTER DELETE ON posts WHEN old.delete_at = 0 BEGIN
      DELETE FROM post_search WHERE rowid = old.rowid;
    END`);
}
