import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** An open or private channel exists. */
export class ChannelCreated implements DomainEvent {
  static readonly event = 'channel.created';
  readonly name = ChannelCreated.event;
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly creatorId: string,
  ) {}
}
