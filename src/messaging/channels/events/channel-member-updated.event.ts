import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** Roles or settings of a channel member have changed. */
export class ChannelMemberUpdated implements DomainEvent {
  static readonly event = 'channel.member_updated';
  readonly name = ChannelMemberUpdated.event;
  constructor(
    readonly channelId: string,
    readonly userId: string,
  ) {}
}
