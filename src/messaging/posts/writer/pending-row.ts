import type { Post } from '../post.entity.js';
import type { Mentions } from './write-request.js';

/** A post to be inserted, and what it changes in counters. */
export interface PendingRow {
  readonly post: Post;
  readonly mentions: Mentions | undefined;
  /** Whether the post marks the channel as read by its author. */
  readonly marksViewed: boolean;
  /** Whether its time is now, and it comes after all others of its channel. */
  readonly isNow: boolean;
}
