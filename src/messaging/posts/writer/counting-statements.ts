import type { Statement } from '../../../platform/database/statement.js';
import type { Post } from '../post.entity.js';
import type { PendingRow } from './pending-row.js';
import type { Mentions } from './write-request.js';

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

/** What has to be counted once these rows are stored: each channel, thread and member once. */
export function countingStatements(rows: readonly PendingRow[]): Statement[] {
  const statements: Statement[] = [];
  for (const [channelId, tally] of tallies(rows)) statements.push(countInChannel(channelId, tally));
  for (const [rootId, { replies, at }] of repliesByRoot(rows))
    statements.push(countInThread(rootId, replies, at));
  for (const { post, mentions, marksViewed } of rows) {
    if (mentions && (mentions.everyone || mentions.userIds.length > 0))
      statements.push(countMentions(post, mentions));
    if (marksViewed) statements.push(markViewed(post));
  }
  return statements;
}

function countInChannel(channelId: string, tally: Tally): Statement {
  return {
    sql: `UPDATE channels SET total_msg_count = total_msg_count + ?, total_msg_count_root = total_msg_count_root + ?,
      last_post_at = CASE WHEN last_post_at < ? THEN ? ELSE last_post_at END,
      last_root_post_at = CASE WHEN last_root_post_at < ? THEN ? ELSE last_root_post_at END WHERE id = ?`,
    parameters: [
      tally.messages,
      tally.roots,
      tally.lastPostAt,
      tally.lastPostAt,
      tally.lastRootPostAt,
      tally.lastRootPostAt,
      channelId,
    ],
  };
}

function countInThread(rootId: string, replies: number, at: number): Statement {
  return {
    sql: `UPDATE posts SET reply_count = reply_count + ?,
      last_reply_at = CASE WHEN last_reply_at < ? THEN ? ELSE last_reply_at END,
      update_at = CASE WHEN update_at < ? THEN ? ELSE update_at + 1 END WHERE id = ?`,
    parameters: [replies, at, at, at, at, rootId],
  };
}

function countMentions(post: Post, mentions: Mentions): Statement {
  const root = post.rootId === '' ? 1 : 0;
  const sql = `UPDATE channel_members SET mention_count = mention_count + 1, mention_count_root = mention_count_root + ?
    WHERE channel_id = ? AND user_id`;
  if (mentions.everyone) return { sql: `${sql} <> ?`, parameters: [root, post.channelId, post.userId] };
  const list = mentions.userIds.map(() => '?').join(',');
  return { sql: `${sql} IN (${list})`, parameters: [root, post.channelId, ...mentions.userIds] };
}

function markViewed(post: Post): Statement {
  return {
    sql: `UPDATE channel_members SET last_viewed_at = ?, mention_count = 0, mention_count_root = 0,
      msg_count = (SELECT total_msg_count FROM channels WHERE id = ?),
      msg_count_root = (SELECT total_msg_count_root FROM channels WHERE id = ?) WHERE channel_id = ? AND user_id = ?`,
    parameters: [post.createAt, post.channelId, post.channelId, post.channelId, post.userId],
  };
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
