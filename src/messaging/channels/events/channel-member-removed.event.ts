import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A user has left a channel or was removed from it. */
export class ChannelMemberRemoved implements DomainEvent {
  static readonly event = 'channel.member_removed';
  readonly name = ChannelMemberRemoved.event;
  constructor(
    readonly channelId: string,
    readonly userId: string,
    readonly actorId: string,
    readonly teamId: string,
  ) {}
}
