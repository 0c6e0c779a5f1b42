import { Injectable } from '@nestjs/common';
import { dialect } from '../../../platform/config/settings.js';
import { byIndex } from '../../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { type BlockContent, type BlockSearch, packPosts, type SearchablePost } from './block-content.js';

/** The posts of a channel by `seq`. */
export const POSTS_IN_ORDER = byIndex('posts', 'ix_posts_channel_order');

const FOR_UPDATE = dialect === 'mysql' ? 'FOR UPDATE' : '';
const OR_IGNORE = dialect === 'mysql' ? 'IGNORE' : 'OR IGNORE';
const ON_DUPLICATE =
  dialect === 'mysql' ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT (channel_id) DO UPDATE SET';

const ANYTHING: BlockSearch = { words: [], anyWord: false, authorIds: [] };

/** From `from` up to, but not including, `to`. */
export interface SeqRange {
  readonly from: number;
  readonly to: number;
}

/** The range and size of a block. */
export interface Block extends SeqRange {
  readonly posts: number;
  readonly bytes: number;
}

/** The state of a block during a search. */
export interface BlockState extends Block {
  /** False if posts were added, removed or edited since. */
  readonly isCurrent: boolean;
  /** Whether all words occur, though possibly in different posts. */
  readonly mayMatch: boolean;
  /** `seq` of the last post in the channel. */
  readonly newestSeq: number;
}

/** The number and size of the next posts, and the `seq` of the last one. */
export interface SourceWindow {
  readonly posts: number;
  readonly bytes: number;
  readonly lastSeq: number;
}

interface BlockRow {
  readonly from_seq: number | string;
  readonly to_seq: number | string;
  readonly posts: number;
  readonly bytes: number | string;
}

/** Reads and writes the blocks of the search index. */
@Injectable()
export class SearchBlocksRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Returns the newest blocks of a channel that overlap a range, newest first. */
  async list(
    channelId: string,
    search: BlockSearch,
    { from, to }: SeqRange,
    limit: number,
  ): Promise<BlockState[]> {
    const { condition, parameters } = conditionOf(search);
    const rows = await this.query<BlockRow & { matches: number }>(
      `SELECT b.from_seq, b.to_seq, b.posts, OCTET_LENGTH(b.messages) AS bytes,
         CASE WHEN ${condition} THEN 1 ELSE 0 END AS matches
       FROM post_search_blocks b WHERE b.channel_id = ? AND b.from_seq < ? AND b.to_seq > ? ORDER BY b.from_seq DESC LIMIT ?`,
      [...parameters, channelId, to, from, limit],
    );
    const blocks = rows.map((row) => ({ ...stateOf(row), mayMatch: Number(row.matches) === 1 }));
    const { counts, newestSeq } = await this.count(channelId, blocks);
    return blocks.map((block, index) => ({ ...block, newestSeq, isCurrent: counts[index] === block.posts }));
  }

  /** Counts the posts in each range, and finds the channel's last post. */
  private async count(
    channelId: string,
    ranges: readonly SeqRange[],
  ): Promise<{ counts: readonly number[]; newestSeq: number }> {
    if (ranges.length === 0) return { counts: [], newestSeq: 0 };
    // If the ranges are not constants, MySQL counts all posts of the channel for each range.
    const rows = await this.query<{ place: number; n: number | string }>(
      [
        `SELECT -1 AS place, MAX(seq) AS n FROM ${POSTS_IN_ORDER} WHERE channel_id = ?`,
        ...ranges.map(
          (_, place) =>
            `SELECT ${place}, COUNT(*) FROM ${POSTS_IN_ORDER} WHERE channel_id = ? AND seq >= ? AND seq < ?`,
        ),
      ].join(' UNION ALL '),
      [channelId, ...ranges.flatMap(({ from, to }) => [channelId, from, to])],
    );
    const numbers = new Map(rows.map(({ place, n }) => [Number(place), Number(n)]));
    return { counts: ranges.map((_, place) => numbers.get(place) ?? 0), newestSeq: numbers.get(-1) ?? 0 };
  }

  /** Returns null if the block has changed. */
  async content(channelId: string, { from, to, posts }: Block): Promise<BlockContent | null> {
    const [row] = await this.query<Record<keyof BlockContent, Uint8Array>>(
      `SELECT authors, entries, messages FROM post_search_blocks
       WHERE channel_id = ? AND from_seq = ? AND to_seq = ? AND posts = ?`,
      [channelId, from, to, posts],
    );
    if (!row) return null;
    return {
      authors: toBuffer(row.authors),
      entries: toBuffer(row.entries),
      messages: toBuffer(row.messages),
    };
  }

  async last(channelId: string): Promise<Block | null> {
    const [row] = await this.query<BlockRow>(
      `SELECT from_seq, to_seq, posts, OCTET_LENGTH(messages) AS bytes FROM post_search_blocks
       WHERE channel_id = ? ORDER BY from_seq DESC LIMIT 1`,
      [channelId],
    );
    return row ? stateOf(row) : null;
  }

  /** Returns the range to pack for a `seq` without a valid block, or null if there is nothing to repair. */
  async rangeAround(channelId: string, seq: number): Promise<SeqRange | null> {
    const [earlier] = await this.list(channelId, ANYTHING, { from: 0, to: seq + 1 }, 1);
    if (!earlier) return null;
    if (seq < earlier.to) return earlier.isCurrent ? null : { from: earlier.from, to: earlier.to };
    const [later] = await this.query<{ from_seq: number | string }>(
      'SELECT from_seq FROM post_search_blocks WHERE channel_id = ? AND from_seq > ? ORDER BY from_seq LIMIT 1',
      [channelId, seq],
    );
    return later ? { from: earlier.to, to: Number(later.from_seq) } : null;
  }

  /** Returns the `seq` of the post that has this many later posts, or 0 if the channel has fewer. */
  async seqAtDepth(channelId: string, posts: number): Promise<number> {
    const [row] = await this.query<{ seq: number | string }>(
      `SELECT seq FROM ${POSTS_IN_ORDER} WHERE channel_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?`,
      [channelId, posts],
    );
    return Number(row?.seq ?? 0);
  }

  /** Returns the window of the oldest posts of a range, or null if there are none. */
  async window(channelId: string, { from, to }: SeqRange, posts: number): Promise<SourceWindow | null> {
    const [row] = await this.query<{ posts: number; bytes: number | string; last: number | string }>(
      `SELECT COUNT(*) AS posts, SUM(w.bytes) AS bytes, MAX(w.seq) AS last
       FROM (SELECT seq, OCTET_LENGTH(message) AS bytes FROM ${POSTS_IN_ORDER}
             WHERE channel_id = ? AND seq >= ? AND seq < ? ORDER BY seq LIMIT ?) w`,
      [channelId, from, to, posts],
    );
    if (!row || Number(row.posts) === 0) return null;
    return { posts: Number(row.posts), bytes: Number(row.bytes), lastSeq: Number(row.last) };
  }

  /** Returns the number of message edits in a channel. Call it before reading the posts to store. */
  async edits(channelId: string): Promise<number> {
    const read = async (): Promise<number | undefined> =>
      (
        await this.query<{ edits: number }>('SELECT edits FROM post_search_edits WHERE channel_id = ?', [
          channelId,
        ])
      )[0]?.edits;
    const edits = await read();
    if (edits !== undefined) return Number(edits);
    await this.unitOfWork.run(() =>
      this.query(`INSERT ${OR_IGNORE} INTO post_search_edits (channel_id, edits) VALUES (?, 0)`, [channelId]),
    );
    return Number(await read());
  }

  /** Packs a range and replaces blocks that start in it. False if a message was edited meanwhile. */
  async pack(channelId: string, { from, to }: SeqRange): Promise<boolean> {
    const edits = await this.edits(channelId);
    const rows = await this.query<{ seq: number | string; user_id: string; message: string | null }>(
      `SELECT seq, user_id, CASE WHEN delete_at = 0 AND type NOT LIKE 'system!_%' ESCAPE '!' THEN message END AS message
       FROM ${POSTS_IN_ORDER} WHERE channel_id = ? AND seq >= ? AND seq < ? ORDER BY seq`,
      [channelId, from, to],
    );
    const posts: SearchablePost[] = [];
    for (const { seq, user_id: userId, message } of rows)
      if (message !== null) posts.push({ seq: Number(seq), userId, message });
    const { authors, entries, messages } = packPosts(posts);
    return this.unitOfWork.run(async () => {
      const [state] = await this.query<{ edits: number }>(
        `SELECT edits FROM post_search_edits WHERE channel_id = ? ${FOR_UPDATE}`,
        [channelId],
      );
      if (Number(state?.edits) !== edits) return false;
      await this.query(
        'DELETE FROM post_search_blocks WHERE channel_id = ? AND from_seq >= ? AND from_seq < ?',
        [channelId, from, to],
      );
      await this.query(
        `INSERT INTO post_search_blocks (channel_id, from_seq, to_seq, posts, authors, entries, messages)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        [channelId, from, to, rows.length, authors, entries, messages],
      );
      return true;
    });
  }

  /** Invalidates the block of a post whose message was changed in the open transaction. */
  async forget(channelId: string, seq: number): Promise<void> {
    await this.query(
      `INSERT INTO post_search_edits (channel_id, edits) VALUES (?, 1) ${ON_DUPLICATE} edits = edits + 1`,
      [channelId],
    );
    await this.query(
      `UPDATE post_search_blocks SET posts = -1 WHERE channel_id = ? AND to_seq > ? AND from_seq =
         (SELECT one.from_seq FROM (SELECT MAX(from_seq) AS from_seq FROM post_search_blocks
          WHERE channel_id = ? AND from_seq <= ?) AS one)`,
      [channelId, seq, channelId, seq],
    );
  }

  private query<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.unitOfWork.manager.query<Row[]>(sql, [...parameters]);
  }
}

/** The condition on a block, with the parameters in order. */
function conditionOf(search: BlockSearch): { condition: string; parameters: Buffer[] } {
  const words = search.words.map(() => 'INSTR(b.messages, ?) > 0').join(search.anyWord ? ' OR ' : ' AND ');
  const authors = search.authorIds.map(() => 'INSTR(b.authors, ?) > 0').join(' OR ');
  const conditions = [words, authors].filter((part) => part !== '').map((part) => `(${part})`);
  return {
    condition: conditions.join(' AND ') || '1 = 1',
    parameters: [...search.words, ...search.authorIds.map((id) => Buffer.from(id))],
  };
}

function stateOf({ from_seq: from, to_seq: to, posts, bytes }: BlockRow): Block {
  return { from: Number(from), to: Number(to), posts, bytes: Number(bytes) };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
