import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { insertRows } from '../../database/rows.js';
import { Post } from '../post.entity.js';
import type { Companion, Mentions } from './write-request.js';

/** One post on its way into the database. */
export interface PendingRow {
  readonly post: Post;
  readonly mentions: Mentions | undefined;
  /** The author has seen the channel by writing into it. */
  readonly marksViewed: boolean;
}

/** Joins and leaves do not count as messages. */
const UNCOUNTED = new Set([
  'system_join_channel',
  'system_leave_channel',
  'system_add_to_channel',
  'system_remove_from_channel',
  'system_join_team',
  'system_leave_team',
  'system_add_to_team',
  'system_remove_from_team',
]);

interface Tally {
  messages: number;
  roots: number;
  lastPostAt: number;
  lastRootPostAt: number;
}

/** The statements of one commit of posts: the rows, then each channel, thread and member once. */
@Injectable()
export class PostRowsRepository {
  async insert(manager: EntityManager, rows: readonly PendingRow[]): Promise<void> {
    await insertRows(
      manager,
      Post,
      rows.map((row) => row.post),
    );
    for (const [channelId, tally] of tallies(rows)) await this.countInChannel(manager, channelId, tally);
    for (const [rootId, { replies, at }] of repliesByRoot(rows))
      await this.countInThread(manager, rootId, replies, at);
    for (const { post, mentions, marksViewed } of rows) {
      if (mentions) await this.countMentions(manager, post, mentions);
      if (marksViewed) await this.markViewed(manager, post);
    }
  }

  async insertCompanions(manager: EntityManager, companions: readonly Companion[]): Promise<void> {
    for (const companion of companions) {
      if ('write' in companion) await companion.write(manager);
      else await insertRows(manager, companion.entity, [companion.row]);
    }
  }

  private async countInChannel(manager: EntityManager, channelId: string, tally: Tally): Promise<void> {
    await manager.query(
      `UPDATE channels SET total_msg_count = total_msg_count + ?, total_msg_count_root = total_msg_count_root + ?,
       last_post_at = CASE WHEN last_post_at < ? THEN ? ELSE last_post_at END,
       last_root_post_at = CASE WHEN last_root_post_at < ? THEN ? ELSE last_root_post_at END WHERE id = ?`,
      [
        tally.messages,
        tally.roots,
        tally.lastPostAt,
        tally.lastPostAt,
        tally.lastRootPostAt,
        tally.lastRootPostAt,
        channelId,
      ],
    );
  }

  private async countInThread(
    manager: EntityManager,
    rootId: string,
    replies: number,
    at: number,
  ): Promise<void> {
    await manager.query(
      `UPDATE posts SET reply_count = reply_count + ?, last_reply_at = CASE WHEN last_reply_at < ? THEN ? ELSE last_reply_at END,
       update_at = CASE WHEN update_at < ? THEN ? ELSE update_at + 1 END WHERE id = ?`,
      [replies, at, at, at, at, rootId],
    );
  }

  private async countMentions(manager: EntityManager, post: Post, mentions: Mentions): Promise<void> {
    const root = post.rootId === '' ? 1 : 0;
    const sql =
      'UPDATE channel_members SET mention_count = mention_count + 1, mention_count_root = mention_count_root + ? WHERE channel_id = ? AND user_id';
    if (mentions.everyone) await manager.query(`${sql} <> ?`, [root, post.channelId, post.userId]);
    else if (mentions.userIds.length > 0) {
      const list = mentions.userIds.map(() => '?').join(',');
      await manager.query(`${sql} IN (${list})`, [root, post.channelId, ...mentions.userIds]);
    }
  }

  private async markViewed(manager: EntityManager, post: Post): Promise<void> {
    await manager.query(
      `UPDATE channel_members SET last_viewed_at = ?, mention_count = 0, mention_count_root = 0,
       msg_count = (SELECT total_msg_count FROM channels WHERE id = ?),
       msg_count_root = (SELECT total_msg_count_root FROM channels WHERE id = ?) WHERE channel_id = ? AND user_id = ?`,
      [post.createAt, post.channelId, post.channelId, post.channelId, post.userId],
    );
  }
}

function tallies(rows: readonly PendingRow[]): Map<string, Tally> {
  const byChannel = new Map<string, Tally>();
  for (const { post } of rows) {
    let tally = byChannel.get(post.channelId);
    if (!tally)
      byChannel.set(post.channelId, (tally = { messages: 0, roots: 0, lastPostAt: 0, lastRootPostAt: 0 }));
    tally.lastPostAt = Math.max(tally.lastPostAt, post.createAt);
    if (post.rootId === '') tally.lastRootPostAt = Math.max(tally.lastRootPostAt, post.createAt);
    if (UNCOUNTED.has(post.type)) continue;
    tally.messages++;
    if (post.rootId === '') tally.roots++;
  }
  return byChannel;
}

function repliesByRoot(rows: readonly PendingRow[]): Map<string, { replies: number; at: number }> {
  const byRoot = new Map<string, { replies: number; at: number }>();
  for (const { post } of rows) {
    if (post.rootId === '') continue;
    const thread = byRoot.get(post.rootId) ?? { replies: 0, at: 0 };
    byRoot.set(post.rootId, { replies: thread.replies + 1, at: Math.max(thread.at, post.createAt) });
  }
  return byRoot;
}
