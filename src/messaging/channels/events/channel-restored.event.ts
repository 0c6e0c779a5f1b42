import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** An archived channel is back. */
export class ChannelRestored implements DomainEvent {
  static readonly event = 'channel.restored';
  readonly name = ChannelRestored.event;
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
  ) {}
}
