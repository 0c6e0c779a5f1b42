import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** Fields of a channel have changed. */
export class ChannelUpdated implements DomainEvent {
  readonly name = 'channel.updated';
  constructor(readonly channelId: string) {}
}
