import { Injectable } from '@nestjs/common';
import { ChannelArchived } from '../channels/events/channel-archived.event.js';
import { InTransaction } from '../common/events/event-bus.js';
import { OutgoingHooksService } from './outgoing-hooks.service.js';

/** Deletes the hooks of a channel in the transaction that archives it. */
@Injectable()
export class ChannelArchivedListener {
  constructor(private readonly hooks: OutgoingHooksService) {}

  @InTransaction(ChannelArchived)
  onChannelArchived({ channelId, deleteAt }: ChannelArchived): Promise<void> {
    return this.hooks.deleteInChannel(channelId, deleteAt);
  }
}
