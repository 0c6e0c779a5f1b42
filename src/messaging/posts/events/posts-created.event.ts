import type { DomainEvent } from '../../../platform/common/events/event-bus.js';
import type { Post } from '../post.entity.js';
import type { Mentions } from '../writer/write-request.js';

/** Facts about one creation that its listeners need and the row does not hold. */
export interface CreatedPost {
  readonly post: Post;
  readonly origin: 'user' | 'hook' | 'system' | 'remote';
  /** False when the author's presence stays as it is. */
  readonly setOnline: boolean;
  /** Who is called by it; undefined when nobody is. */
  readonly mentions?: Mentions | undefined;
}

/**
 * Posts of one commit. In the transaction it reaches those who write rows beside the posts; after the commit it
 * announces them. Carries the rows themselves: it never leaves the process.
 */
export class PostsCreated implements DomainEvent {
  static readonly event = 'post.created';
  readonly name = PostsCreated.event;
  constructor(readonly created: readonly CreatedPost[]) {}
}
