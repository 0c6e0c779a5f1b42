import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** Roles or settings of a channel member have changed. */
export class ChannelMemberUpdated implements DomainEvent {
  readonly name = 'channel.member_updated';
  constructor(
    readonly channelId: string,
    readonly userId: string,
  ) {}
}
