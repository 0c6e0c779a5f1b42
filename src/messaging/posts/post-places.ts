import { byIndex } from '../../platform/database/by-index.js';
import type { Post } from './post.entity.js';

/** A position in the order of posts. */
export type Cursor = Pick<Post, 'seq' | 'id'>;

/** Which posts of a channel to list. */
export interface ChannelView {
  readonly channelId: string;
  /** Only the first posts of threads. */
  readonly rootsOnly?: boolean;
  readonly includeDeleted?: boolean;
}

export type Direction = 'older' | 'newer';

/** A condition, or a statement that finds the ids of posts, with its parameters. */
export interface Places {
  readonly sql: string;
  readonly parameters: Record<string, unknown>;
}

/** Whether a row of posts is one of the view. */
export function inView({ rootsOnly, includeDeleted }: ChannelView): string {
  const roots = rootsOnly ? "AND root_id = ''" : '';
  return `channel_id = :channelId AND ${includeDeleted ? "original_id = ''" : 'delete_at = 0'} ${roots}`;
}

/**
 * Where the posts of a channel are, the first ones in a direction. The index has all columns of the conditions, so that
 * posts which are skipped are not read.
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
 * Where the posts of a channel are that changed after a time, the earliest change first; with `until`, not after that, the latest
 * change first.
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

/** The posts before or after the cursor. The first condition is a range of the index. */
export function beyond({ seq, id }: Cursor, direction: Direction): Places {
  const sign = direction === 'older' ? '<' : '>';
  return {
    sql: `seq ${sign}= :seq AND (seq ${sign} :seq OR id ${sign} :id)`,
    parameters: { seq, id },
  };
}
