import type { DomainEvent } from '../../../platform/events/domain-event.js';
import type { Post } from '../post.entity.js';

/** A post has new content. */
export class PostEdited implements DomainEvent {
  readonly name = 'post.edited';
  constructor(readonly post: Post) {}
}
