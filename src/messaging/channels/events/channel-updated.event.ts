import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** Fields of a channel have changed. */
export class ChannelUpdated implements DomainEvent {
  static readonly event = 'channel.updated';
  readonly name = ChannelUpdated.event;
  constructor(readonly channelId: string) {}
}
