import type { DomainEvent } from '../../../platform/common/events/event-bus.js';
import type { Post } from '../post.entity.js';

/** A post has new content. */
export class PostEdited implements DomainEvent {
  static readonly event = 'post.edited';
  readonly name = PostEdited.event;
  constructor(readonly post: Post) {}
}
