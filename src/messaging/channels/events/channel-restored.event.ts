import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** An archived channel is back. */
export class ChannelRestored implements DomainEvent {
  readonly name = 'channel.restored';
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
  ) {}
}
