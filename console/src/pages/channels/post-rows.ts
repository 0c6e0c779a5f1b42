import { shownNameOf } from '../../parts/post-author';
import { isSystem } from './channel-list';
import type { Post } from './channel-queries';

/** One row of a list of messages: a message, or consecutive system messages of a day. */
export interface Row {
  readonly id: string;
  readonly posts: Post[];
  /** Whether it is the first of its day. */
  readonly startsDay: boolean;
  /** Whether it is the first that the user has not read. */
  readonly isFirstNew: boolean;
  /** Whether its author wrote the row above, shortly before. */
  readonly isContinued: boolean;
}

const CONTINUED_WITHIN_MS = 5 * 60_000;

/** Rows of messages, oldest first. */
export function rowsOf(posts: readonly Post[], readUntil = Infinity): Row[] {
  const rows: Row[] = [];
  let last: Post | undefined;
  let isNewFound = false;
  for (const post of posts) {
    const row = rows.at(-1);
    const startsDay = !last || dayOf(last) !== dayOf(post);
    const isFirstNew: boolean = !isNewFound && post.create_at > readUntil && !isSystem(post);
    isNewFound ||= isFirstNew;
    if (row && last && !startsDay && !isFirstNew && isSystem(last) && isSystem(post)) row.posts.push(post);
    else {
      const isContinued = !startsDay && !isFirstNew && continues(post, last);
      rows.push({ id: post.id, posts: [post], startsDay, isFirstNew, isContinued });
    }
    last = post;
  }
  return rows;
}

const dayOf = ({ create_at: at }: Post): string => new Date(at).toDateString();

const continues = (post: Post, last: Post | undefined): boolean =>
  last !== undefined &&
  !isSystem(post) &&
  !isSystem(last) &&
  authorOf(post) === authorOf(last) &&
  (post.root_id === last.root_id || post.root_id === last.id) &&
  post.create_at - last.create_at < CONTINUED_WITHIN_MS;

const authorOf = ({ user_id: id, props }: Post): string =>
  `${id} ${shownNameOf('', props)} ${String(props['override_icon_emoji'])} ${String(props['from_webhook'])}`;
