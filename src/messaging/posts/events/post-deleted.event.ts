import type { DomainEvent } from '../../../platform/common/events/event-bus.js';
import type { Post } from '../post.entity.js';

/** A post and, if it was the root, its replies are gone. */
export class PostDeleted implements DomainEvent {
  static readonly event = 'post.deleted';
  readonly name = PostDeleted.event;
  constructor(
    readonly post: Post,
    readonly deletedBy: string,
  ) {}
}
