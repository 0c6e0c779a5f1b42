import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** An open channel became private, or the other way round. */
export class ChannelConverted implements DomainEvent {
  static readonly event = 'channel.converted';
  readonly name = ChannelConverted.event;
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
    readonly type: string,
  ) {}
}
