import type { Statement } from '../../../platform/database/statement.js';
import { countMentions, countPosts, markViewed, type PostCount } from '../../channels/channel-counters.js';
import type { PendingRow } from './pending-row.js';

/** Posts about joining and leaving do not count as messages. */
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

const NONE: PostCount = { posts: 0, roots: 0, lastPostAt: 0, lastRootPostAt: 0 };

/** The statements that update the counters of channels, threads and members for new posts. */
export function countingStatements(rows: readonly PendingRow[]): Statement[] {
  const statements: Statement[] = [];
  // Whoever edits the first post of a thread is waited for first, while nobody waits for the row of a channel.
  for (const [rootId, { replies, at }] of [...repliesByRoot(rows)].sort(byId))
    statements.push(countInThread(rootId, replies, at));
  // In the same order by every commit, so that no two of them wait for each other.
  for (const [channelId, count] of [...countsByChannel(rows)].sort(byId))
    statements.push(countPosts(channelId, count));
  const lastViews = lastViewsOf(rows);
  for (const row of rows) {
    const { post, mentions } = row;
    if (mentions && (mentions.everyone || mentions.userIds.length > 0))
      statements.push(countMentions(post, mentions.everyone ? 'everyone' : mentions.userIds));
    if (lastViews.has(row)) statements.push(markViewed(post));
  }
  return statements;
}

/** The last post of each author in each channel: it marks the same as read as those before it. */
function lastViewsOf(rows: readonly PendingRow[]): ReadonlySet<PendingRow> {
  const byPlace = new Map<string, PendingRow>();
  for (const row of rows) if (row.marksViewed) byPlace.set(`${row.post.channelId} ${row.post.userId}`, row);
  return new Set(byPlace.values());
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function countInThread(rootId: string, replies: number, at: number): Statement {
  return {
    sql: `UPDATE posts SET reply_count = reply_count + ?,
      last_reply_at = CASE WHEN last_reply_at < ? THEN ? ELSE last_reply_at END,
      update_at = CASE WHEN update_at < ? THEN ? ELSE update_at + 1 END WHERE id = ?`,
    parameters: [replies, at, at, at, at, rootId],
  };
}

function countsByChannel(rows: readonly PendingRow[]): Map<string, PostCount> {
  const byChannel = new Map<string, PostCount>();
  for (const { post } of rows) {
    const { posts, roots, lastPostAt, lastRootPostAt } = byChannel.get(post.channelId) ?? NONE;
    const isCounted = !UNCOUNTED.has(post.type);
    const isRoot = post.rootId === '';
    byChannel.set(post.channelId, {
      posts: posts + Number(isCounted),
      roots: roots + Number(isCounted && isRoot),
      lastPostAt: Math.max(lastPostAt, post.createAt),
      lastRootPostAt: isRoot ? Math.max(lastRootPostAt, post.createAt) : lastRootPostAt,
    });
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
