import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../delivery/dispatch/deliveries.service.js';
import { PostDeleted } from '../../messaging/posts/posts.events.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { OUTGOING_HOOK } from './triggered-deliveries.js';

/** Stops sending a message in the transaction that deletes it (docs/contract/outgoing-webhooks.md#deleted-messages). */
@Injectable()
export class PostDeletedListener {
  constructor(private readonly deliveries: DeliveriesService) {}

  @InTransaction(PostDeleted)
  async onPostDeleted({ post, replyIds }: PostDeleted): Promise<void> {
    await this.deliveries.forget(OUTGOING_HOOK, [post.id, ...replyIds]);
  }
}
