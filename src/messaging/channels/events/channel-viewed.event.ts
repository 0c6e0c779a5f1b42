import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A user has seen channels; the times are by channel id, in milliseconds. */
export class ChannelViewed implements DomainEvent {
  readonly name = 'channel.viewed';
  constructor(
    readonly userId: string,
    readonly channelTimes: Readonly<Record<string, number>>,
  ) {}
}
