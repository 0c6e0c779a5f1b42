import type { Post } from '../post.entity.js';
import type { Mentions } from './write-request.js';

/** One post on its way into the database. */
export interface PendingRow {
  readonly post: Post;
  readonly mentions: Mentions | undefined;
  /** The author has seen the channel by writing into it. */
  readonly marksViewed: boolean;
}
