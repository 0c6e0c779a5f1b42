import type { DomainEvent } from '../../../platform/events/domain-event.js';
import type { Post } from '../post.entity.js';

/** A post and, if it was the root, its replies are gone. */
export class PostDeleted implements DomainEvent {
  readonly name = 'post.deleted';
  constructor(
    readonly post: Post,
    readonly deletedBy: string,
    readonly replyIds: readonly string[],
  ) {}
}
