import type { Statement } from '../../platform/database/statement.js';

/*
 * Statements that update the counters of channels and members for new posts. The post writer runs them in the
 * transaction of the posts.
 */

/** What new posts add to a channel's counters. Times are milliseconds since the epoch. */
export interface PostCount {
  readonly posts: number;
  /** Posts that are not replies. */
  readonly roots: number;
  readonly lastPostAt: number;
  /** 0 if all are replies. */
  readonly lastRootPostAt: number;
}

/** The fields of a post that the counters need. */
interface CountedPost {
  readonly channelId: string;
  readonly userId: string;
  readonly rootId: string;
  readonly createAt: number;
}

/** Adds new posts to the counters of their channel. */
export function countPosts(
  channelId: string,
  { posts, roots, lastPostAt, lastRootPostAt }: PostCount,
): Statement {
  return {
    sql: `UPDATE channels SET total_msg_count = total_msg_count + ?, total_msg_count_root = total_msg_count_root + ?,
      last_post_at = CASE WHEN last_post_at < ? THEN ? ELSE last_post_at END,
      last_root_post_at = CASE WHEN last_root_post_at < ? THEN ? ELSE last_root_post_at END WHERE id = ?`,
    parameters: [posts, roots, lastPostAt, lastPostAt, lastRootPostAt, lastRootPostAt, channelId],
  };
}

/** What new posts add to the mentions of members of a channel. */
export interface MentionCount {
  readonly channelId: string;
  /** Those who are mentioned, or everyone but these. */
  readonly userIds: readonly string[];
  readonly isEveryoneBut: boolean;
  readonly posts: number;
  /** Posts that are not replies. */
  readonly roots: number;
}

/** Adds new posts to the mentions of members of their channel. */
export function countMentions({ channelId, userIds, isEveryoneBut, posts, roots }: MentionCount): Statement {
  const list = userIds.map(() => '?').join(',');
  return {
    sql: `UPDATE channel_members SET mention_count = mention_count + ?, mention_count_root = mention_count_root + ?
      WHERE channel_id = ? AND user_id ${isEveryoneBut ? 'NOT IN' : 'IN'} (${list})`,
    parameters: [posts, roots, channelId, ...userIds],
  };
}

/** Marks the channel as read by the post's author. */
export function markViewed(post: CountedPost): Statement {
  return {
    sql: `UPDATE channel_members SET last_viewed_at = ?, mention_count = 0, mention_count_root = 0,
      msg_count = (SELECT total_msg_count FROM channels WHERE id = ?),
      msg_count_root = (SELECT total_msg_count_root FROM channels WHERE id = ?) WHERE channel_id = ? AND user_id = ?`,
    parameters: [post.createAt, post.channelId, post.channelId, post.channelId, post.userId],
  };
}
