/** Reads the server's database directly, whether the server is running or not. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { createPool } from 'mysql2/promise';
import { readPiece } from './load.mjs';

/** Sequence numbers of a millisecond. */
export const SEQUENCES_PER_MS = 2_048;
/** In sequence numbers: ten seconds, more than the clocks of processes differ. */
export const OVERLAP = 10_000 * SEQUENCES_PER_MS;

/** `place` is { dataDir, databaseUrl }. The URL is undefined for SQLite. */
export async function openStoredRows({ dataDir, databaseUrl }) {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(path.join(dataDir, 'hookline.db'), { readOnly: true, timeout: 5_000 });
    const query = async (sql, parameters = []) => database.prepare(sql).all(...parameters);
    return new StoredRows(query, async () => database.close(), 'length');
  }
  // A pool of one opens a new connection after a database outage.
  const pool = createPool({ uri: databaseUrl, supportBigNumbers: true, connectionLimit: 1 });
  const query = async (sql, parameters = []) => (await pool.query(sql, parameters))[0];
  return new StoredRows(query, () => pool.end(), 'char_length');
}

class StoredRows {
  #query;
  #close;
  #lengthOf;

  constructor(query, close, lengthOf) {
    this.#query = query;
    this.#close = close;
    this.#lengthOf = lengthOf;
  }

  close() {
    return this.#close();
  }

  /**
   * The posts of these channels after `seq`: { pieces: Map of marker to part numbers in their order, foreign,
   * damaged, seq }.
   */
  async postsAfter(seq, channelIds) {
    const rows = await this.#query(
      `SELECT seq, type, substr(message, 1, 80) AS head, ${this.#lengthOf}(message) AS size FROM posts
       WHERE seq > ? AND channel_id IN (${channelIds.map(() => '?').join(',')}) ORDER BY seq`,
      [seq, ...channelIds],
    );
    const found = { pieces: new Map(), foreign: [], damaged: [], seq };
    for (const row of rows) {
      found.seq = Number(row.seq);
      const piece = readPiece(row.head);
      if (!piece) {
        if (!row.type.startsWith('system_')) found.foreign.push(row.head);
        continue;
      }
      if (Number(row.size) !== piece.length) found.damaged.push(`${row.head} is ${row.size} long`);
      const numbers = found.pieces.get(piece.marker);
      if (numbers) numbers.push(piece.number);
      else found.pieces.set(piece.marker, [piece.number]);
    }
    return found;
  }

  /** The number of hooks with each of these display names. */
  async hooksNamed(prefix) {
    const rows = await this.#query(
      'SELECT display_name AS name, COUNT(*) AS n FROM incoming_webhooks WHERE display_name LIKE ? GROUP BY display_name',
      [`${prefix}.%`],
    );
    return new Map(rows.map((row) => [row.name, Number(row.n)]));
  }

  /** The triggering posts after `seq`, their deliveries, and the posted replies. */
  async deliveriesAfter(seq, channelId) {
    const posts = await this.#query(
      'SELECT id, seq, message FROM posts WHERE channel_id = ? AND seq > ? ORDER BY seq',
      [channelId, seq],
    );
    const deliveries = await this.#query(
      "SELECT id, subject_id AS postId, url, status, reply_post_id AS replyPostId FROM deliveries WHERE seq > ? AND kind = 'outgoing_hook'",
      [seq],
    );
    return {
      seq: posts.reduce((last, post) => Math.max(last, Number(post.seq)), seq),
      triggers: posts.filter(({ message }) => message.startsWith('go ')),
      replies: posts.filter(({ message }) => message.startsWith('reply ')),
      deliveries,
    };
  }

  /** Sequence numbers of a channel's posts after `seq`, by message. */
  async sequencesAfter(seq, channelId) {
    const rows = await this.#query('SELECT message, seq FROM posts WHERE channel_id = ? AND seq > ?', [
      channelId,
      seq,
    ]);
    return new Map(rows.map((row) => [row.message, Number(row.seq)]));
  }

  async openDeliveries() {
    const [row] = await this.#query(
      "SELECT COUNT(*) AS n FROM deliveries WHERE status IN ('pending', 'retrying')",
    );
    return Number(row.n);
  }

  /** Waits until no delivery is open. Returns how many still are after `withinMs`. */
  async settle(withinMs) {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const open = await this.openDeliveries();
      if (open === 0 || performance.now() > deadline) return open;
      await sleep(20);
    }
  }

  async openDeliveriesOf(postId) {
    const [row] = await this.#query(
      "SELECT COUNT(*) AS n FROM deliveries WHERE subject_id = ? AND status IN ('pending', 'retrying')",
      [postId],
    );
    return Number(row.n);
  }

  /** Describes the messages that occur more than once, by their beginnings, which differ per load. */
  async doubledTexts(channelIds) {
    const rows = await this.#query(
      `SELECT substr(message, 1, 40) AS head, COUNT(*) AS n FROM posts
       WHERE channel_id IN (${channelIds.map(() => '?').join(',')}) AND type = ''
       GROUP BY substr(message, 1, 40) HAVING COUNT(*) > 1`,
      channelIds,
    );
    return rows.map(({ head, n }) => `"${head}" is there ${n} times.`);
  }

  /** Describes channels and threads whose counters do not match their rows. */
  async wrongCounters(channelIds, rootId) {
    const wrong = [];
    for (const id of channelIds) {
      const [channel] = await this.#query(
        'SELECT total_msg_count AS n, last_post_at AS at FROM channels WHERE id = ?',
        [id],
      );
      const [posts] = await this.#query(
        "SELECT COUNT(*) AS n, MAX(create_at) AS at FROM posts WHERE channel_id = ? AND type <> 'system_join_channel'",
        [id],
      );
      if (Number(channel.n) !== Number(posts.n))
        wrong.push(`Channel ${id} counts ${channel.n} messages and has ${posts.n}.`);
      if (posts.at !== null && Number(channel.at) !== Number(posts.at))
        wrong.push(`Channel ${id} has last_post_at ${channel.at}, its newest post ${posts.at}.`);
    }
    const [root] = await this.#query('SELECT reply_count AS n FROM posts WHERE id = ?', [rootId]);
    const [replies] = await this.#query('SELECT COUNT(*) AS n FROM posts WHERE root_id = ?', [rootId]);
    if (Number(root.n) !== Number(replies.n))
      wrong.push(`The thread counts ${root.n} replies and has ${replies.n}.`);
    return wrong;
  }
}
