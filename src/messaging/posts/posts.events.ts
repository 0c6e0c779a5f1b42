import type { DomainEvent } from '../../platform/events/event-bus.js';
import type { Post } from './post.entity.js';
import type { Mentions } from './writer/write-request.js';

/** A post was deleted, including its replies if it was a thread root. */
export class PostDeleted implements DomainEvent {
  readonly name = 'post.deleted';
  constructor(
    readonly post: Post,
    readonly deletedBy: string,
    readonly replyIds: readonly string[],
  ) {}
}

/** The content of a post was changed. */
export class PostEdited implements DomainEvent {
  readonly name = 'post.edited';
  constructor(readonly post: Post) {}
}

/** Facts about a post's creation that listeners need and the row does not contain. */
export interface CreatedPost {
  readonly post: Post;
  readonly origin: 'user' | 'hook' | 'system' | 'remote';
  /** False if the author's presence stays unchanged. */
  readonly setOnline: boolean;
  /** The mentioned users; undefined if none. */
  readonly mentions?: Mentions | undefined;
  /** How many replies of receivers in a row have led to it. */
  readonly hops?: number | undefined;
}

/** Posts were stored in one commit. Contains the rows themselves, as it never leaves the process. */
export class PostsCreated implements DomainEvent {
  readonly name = 'post.created';
  constructor(readonly created: readonly CreatedPost[]) {}
}
