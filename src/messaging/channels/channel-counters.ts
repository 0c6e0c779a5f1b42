import { isMissingValue } from '../../platform/database/database-errors.js';
import type { Statement } from '../../platform/database/statement.js';

/*
 * Statements that update the counters of channels and members for new posts. The post writer runs them in the
 * transaction of the posts.
 */

/** The changes to a channel's counters for new posts. Times are milliseconds since the epoch. */
export interface PostCount {
  readonly posts: number;
  /** Posts that are not replies. */
  readonly roots: number;
  readonly lastPostAt: number;
  /** 0 if all are replies. */
  readonly lastRootPostAt: number;
  /** The lowest and highest `seq` of posts without an explicit time; 0 if all have one. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/**
 * Adds new posts to the counters of their channel. With `isInOrder`, the transaction fails if the channel
 * already has a later post, because the column does not accept NULL (`isOutOfOrder`).
 */
export function countPosts(
  channelId: string,
  { posts, roots, lastPostAt, lastRootPostAt, firstSeq, lastSeq }: PostCount,
  isInOrder: boolean,
): Statement {
  const isChecked = isInOrder && lastSeq > 0;
  return {
    sql: `UPDATE channels SET total_msg_count = total_msg_count + ?, total_msg_count_root = total_msg_count_root + ?,
      last_post_at = CASE WHEN last_post_at < ? THEN ? ELSE last_post_at END,
      last_root_post_at = CASE WHEN last_root_post_at < ? THEN ? ELSE last_root_post_at END,
      last_seq = CASE WHEN last_seq < ? THEN ? ELSE ${isChecked ? 'NULL' : 'last_seq'} END WHERE id = ?`,
    parameters: [
      ...[posts, roots, lastPostAt, lastPostAt, lastRootPostAt, lastRootPostAt],
      ...[isChecked ? firstSeq : lastSeq, lastSeq, channelId],
    ],
  };
}

/** Whether a transaction failed because its channel already has later posts. */
export function isOutOfOrder(error: unknown): boolean {
  return isMissingValue(error, 'last_seq');
}

/** Reads the highest `seq` of the posts of channels, and locks them until the transaction ends. */
export function lockOrder(channelIds: readonly string[]): Statement {
  const list = channelIds.map(() => '?').join(',');
  return {
    sql: `SELECT last_seq AS seq FROM channels WHERE id IN (${list}) ORDER BY id FOR UPDATE`,
    parameters: channelIds,
  };
}

/** The mentions that new posts add for members of a channel. */
export interface MentionCount {
  readonly channelId: string;
  /** The mentioned users, or everyone except these. */
  readonly userIds: readonly string[];
  readonly isEveryoneBut: boolean;
  readonly posts: number;
  /** Posts that are not replies. */
  readonly roots: number;
}

/** Adds the mentions of new posts to the channel's members. */
export function countMentions({ channelId, userIds, isEveryoneBut, posts, roots }: MentionCount): Statement {
  const list = userIds.map(() => '?').join(',');
  return {
    sql: `UPDATE channel_members SET mention_count = mention_count + ?, mention_count_root = mention_count_root + ?
      WHERE channel_id = ? AND user_id ${isEveryoneBut ? 'NOT IN' : 'IN'} (${list})`,
    parameters: [posts, roots, channelId, ...userIds],
  };
}

/** The fields of a post that the counters need. */
interface CountedPost {
  readonly channelId: string;
  readonly userId: string;
  readonly createAt: number;
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
