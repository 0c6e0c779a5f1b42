import { Injectable } from '@nestjs/common';
import { ChannelArchived } from '../messaging/channels/channels.events.js';
import { InTransaction } from '../platform/events/listeners.js';
import { OutgoingHookRecords } from './outgoing-hook-records.js';

/** Deletes the hooks of a channel in the transaction that archives it. */
@Injectable()
export class ChannelArchivedListener {
  constructor(private readonly hooks: OutgoingHookRecords) {}

  @InTransaction(ChannelArchived)
  onChannelArchived({ channelId, deleteAt }: ChannelArchived): Promise<void> {
    return this.hooks.removeInChannel(channelId, deleteAt);
  }
}
