import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A user has joined a channel or was added to it. */
export class ChannelMemberAdded implements DomainEvent {
  readonly name = 'channel.member_added';
  constructor(
    readonly channelId: string,
    readonly userId: string,
    readonly actorId: string,
    readonly teamId: string,
  ) {}
}
