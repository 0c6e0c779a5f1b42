import type { Statement } from '../../../platform/database/statement.js';
import {
  countMentions,
  countPosts,
  markViewed,
  type MentionCount,
  type PostCount,
} from '../../channels/channel-counters.js';
import type { PendingRow } from './write-request.js';

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

const NONE: PostCount = {
  posts: 0,
  roots: 0,
  lastPostAt: 0,
  lastRootPostAt: 0,
  firstSeq: Infinity,
  lastSeq: 0,
};

/** Returns the statements that update thread counters for new posts. */
export function threadStatements(rows: readonly PendingRow[]): Statement[] {
  return [...repliesByRoot(rows)]
    .sort(byId)
    .map(([rootId, { replies, at }]) => countInThread(rootId, replies, at));
}

/**
 * Returns the statements that update channel and member counters. Run them last: a channel's other posts wait
 * for its row until the commit ends. With `isInOrder`, they fail if a channel has later posts.
 */
export function channelStatements(rows: readonly PendingRow[], isInOrder = false): Statement[] {
  const statements: Statement[] = [];
  // Sort so that all commits lock channels in the same order and cannot deadlock.
  for (const [channelId, count] of [...countsByChannel(rows)].sort(byId))
    statements.push(countPosts(channelId, count, isInOrder));
  return [...statements, ...memberStatements(rows)];
}

/** Combines consecutive mentions of the same users. */
function memberStatements(rows: readonly PendingRow[]): Statement[] {
  const statements: Statement[] = [];
  const open = new Map<string, MentionCount>();
  const close = (count: MentionCount | undefined): void => {
    if (count) statements.push(countMentions(count));
  };
  const lastViews = lastViewsOf(rows);
  for (const row of rows) {
    const { channelId } = row.post;
    const count = mentionsOf(row);
    const before = open.get(channelId);
    if (count && before && isOfSame(count, before))
      open.set(channelId, { ...before, posts: before.posts + 1, roots: before.roots + count.roots });
    else if (count) {
      close(before);
      open.set(channelId, count);
    }
    if (lastViews.has(row)) {
      close(open.get(channelId)); // the author has read all earlier posts
      open.delete(channelId);
      statements.push(markViewed(row.post));
    }
  }
  open.forEach(close);
  return statements;
}

function mentionsOf({ post, mentions }: PendingRow): MentionCount | undefined {
  if (!mentions || (!mentions.everyone && mentions.userIds.length === 0)) return undefined;
  return {
    channelId: post.channelId,
    userIds: mentions.everyone ? [post.userId] : mentions.userIds,
    isEveryoneBut: mentions.everyone,
    posts: 1,
    roots: Number(post.rootId === ''),
  };
}

function isOfSame(a: MentionCount, b: MentionCount): boolean {
  return a.isEveryoneBut === b.isEveryoneBut && a.userIds.join() === b.userIds.join();
}

/** Returns each author's last post per channel, which also marks the earlier ones as read. */
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
  for (const { post, isNow } of rows) {
    const { posts, roots, lastPostAt, lastRootPostAt, firstSeq, lastSeq } =
      byChannel.get(post.channelId) ?? NONE;
    const isCounted = !UNCOUNTED.has(post.type);
    const isRoot = post.rootId === '';
    byChannel.set(post.channelId, {
      posts: posts + Number(isCounted),
      roots: roots + Number(isCounted && isRoot),
      lastPostAt: Math.max(lastPostAt, post.createAt),
      lastRootPostAt: isRoot ? Math.max(lastRootPostAt, post.createAt) : lastRootPostAt,
      firstSeq: isNow ? Math.min(firstSeq, post.seq) : firstSeq,
      lastSeq: isNow ? Math.max(lastSeq, post.seq) : lastSeq,
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
