import { Injectable } from '@nestjs/common';
import { ChannelArchived } from '../messaging/channels/channels.events.js';
import { InTransaction } from '../platform/events/listeners.js';
import { OutgoingHookRecords } from './outgoing-hook-records.js';
import { DeliveriesService } from '../delivery/dispatch/deliveries.service.js';
import { PostDeleted } from '../messaging/posts/posts.events.js';
import { OUTGOING_HOOK } from './delivery/triggered-deliveries.js';

/** Deletes the hooks of a channel in the transaction that archives it. */
@Injectable()
export class ChannelArchivedListener {
  constructor(private readonly hooks: OutgoingHookRecords) {}

  @InTransaction(ChannelArchived)
  onChannelArchived({ channelId, deleteAt }: ChannelArchived): Promise<void> {
    return this.hooks.removeInChannel(channelId, deleteAt);
  }
}

/** Stops sending a message in the transaction that deletes it (docs/contract/outgoing-webhooks.md#deleted-messages). */
@Injectable()
export class PostDeletedListener {
  constructor(private readonly deliveries: DeliveriesService) {}

  @InTransaction(PostDeleted)
  async onPostDeleted({ post, replyIds }: PostDeleted): Promise<void> {
    await this.deliveries.forget(OUTGOING_HOOK, [post.id, ...replyIds]);
  }
}
