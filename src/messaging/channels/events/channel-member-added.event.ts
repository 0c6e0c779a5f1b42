import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A user has joined a channel or was added to it. */
export class ChannelMemberAdded implements DomainEvent {
  static readonly event = 'channel.member_added';
  readonly name = ChannelMemberAdded.event;
  constructor(
    readonly channelId: string,
    readonly userId: string,
    readonly actorId: string,
    readonly teamId: string,
  ) {}
}
