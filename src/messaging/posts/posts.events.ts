import type { DomainEvent } from '../../platform/events/domain-event.js';
import type { Post } from './post.entity.js';
import type { Mentions } from './writer/write-request.js';

/** A post and, if it was the root, its replies are gone. */
export class PostDeleted implements DomainEvent {
  readonly name = 'post.deleted';
  constructor(
    readonly post: Post,
    readonly deletedBy: string,
    readonly replyIds: readonly string[],
  ) {}
}

/** A post has new content. */
export class PostEdited implements DomainEvent {
  readonly name = 'post.edited';
  constructor(readonly post: Post) {}
}

/** Facts about one creation that its listeners need and the row does not hold. */
export interface CreatedPost {
  readonly post: Post;
  readonly origin: 'user' | 'hook' | 'system' | 'remote';
  /** False when the author's presence stays as it is. */
  readonly setOnline: boolean;
  /** Who is called by it; undefined when nobody is. */
  readonly mentions?: Mentions | undefined;
}

/** Posts were stored, all of one commit. Carries the rows themselves: it never leaves the process. */
export class PostsCreated implements DomainEvent {
  readonly name = 'post.created';
  constructor(readonly created: readonly CreatedPost[]) {}
}
