import { byIndex } from '../../platform/database/insert-or-find.js';
import type { Post } from './post.entity.js';

/** A position in the order of posts. */
export type Cursor = Pick<Post, 'seq' | 'id'>;

/** Which posts of a channel to list. */
export interface ChannelView {
  readonly channelId: string;
  /** Lists only thread roots. */
  readonly collapsedThreads?: boolean;
  readonly includeDeleted?: boolean;
  /** Omits the thread roots of the listed replies. */
  readonly skipFetchThreads?: boolean;
}

export type Direction = 'older' | 'newer';

/** A condition, or a statement that selects post IDs, with its parameters. SQL, because TypeORM has no index hints for SQLite. */
export interface Places {
  readonly sql: string;
  readonly parameters: Record<string, unknown>;
}

function inView({ collapsedThreads, includeDeleted }: ChannelView): string {
  const roots = collapsedThreads ? "AND root_id = ''" : '';
  return `channel_id = :channelId AND ${includeDeleted ? "original_id = ''" : 'delete_at = 0'} ${roots}`;
}

/**
 * Selects the IDs of a channel's first posts in a direction. The index covers all columns of the conditions,
 * so skipped posts are not read.
 */
export function placesInChannel(
  view: ChannelView,
  direction: Direction,
  limit: number,
  offset = 0,
  bound?: Places,
): Places {
  const order = direction === 'older' ? 'DESC' : 'ASC';
  const source = byIndex('posts', 'ix_posts_channel_order');
  const further = bound ? `AND ${bound.sql}` : '';
  return {
    sql: `SELECT id, seq FROM ${source} WHERE ${inView(view)} ${further}
      ORDER BY seq ${order}, id ${order} LIMIT ${limit} OFFSET ${offset}`,
    parameters: { channelId: view.channelId, ...bound?.parameters },
  };
}

/**
 * Selects the IDs of posts changed after a time, earliest change first; with `until`, only changes up to that
 * time, latest change first.
 */
export function placesOfChanges(view: ChannelView, time: number, limit: number, until?: number): Places {
  const source = byIndex('posts', 'ix_posts_channel_update');
  const further = until === undefined ? '' : 'AND update_at <= :until';
  return {
    sql: `SELECT id FROM ${source} WHERE ${inView({ ...view, includeDeleted: true })} AND update_at > :time ${further}
      ORDER BY update_at ${until === undefined ? 'ASC' : 'DESC'}, id LIMIT ${limit}`,
    parameters: { channelId: view.channelId, time, ...(until === undefined ? {} : { until }) },
  };
}

/** SQL condition for posts before or after the cursor. Its first part is a range of the index. */
export function beyond({ seq, id }: Cursor, direction: Direction): Places {
  const sign = direction === 'older' ? '<' : '>';
  return {
    sql: `seq ${sign}= :seq AND (seq ${sign} :seq OR id ${sign} :id)`,
    parameters: { seq, id },
  };
}
