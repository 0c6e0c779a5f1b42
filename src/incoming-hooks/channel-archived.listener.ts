import { Injectable } from '@nestjs/common';
import { ChannelArchived } from '../messaging/channels/channels.events.js';
import { InTransaction } from '../platform/events/listeners.js';
import { IncomingHooksService } from './incoming-hooks.service.js';

/** Deletes the hooks of a channel in the transaction that archives it. */
@Injectable()
export class ChannelArchivedListener {
  constructor(private readonly hooks: IncomingHooksService) {}

  @InTransaction(ChannelArchived)
  onChannelArchived({ channelId, deleteAt }: ChannelArchived): Promise<void> {
    return this.hooks.deleteInChannel(channelId, deleteAt);
  }
}
