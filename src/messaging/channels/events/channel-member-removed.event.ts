import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A user has left a channel or was removed from it. */
export class ChannelMemberRemoved implements DomainEvent {
  readonly name = 'channel.member_removed';
  constructor(
    readonly channelId: string,
    readonly userId: string,
    readonly actorId: string,
    readonly teamId: string,
  ) {}
}
