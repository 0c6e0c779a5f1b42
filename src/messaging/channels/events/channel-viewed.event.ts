import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A user has seen channels; the times are by channel id, in milliseconds. */
export class ChannelViewed implements DomainEvent {
  static readonly event = 'channel.viewed';
  readonly name = ChannelViewed.event;
  constructor(
    readonly userId: string,
    readonly channelTimes: Readonly<Record<string, number>>,
  ) {}
}
