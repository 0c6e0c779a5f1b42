import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A direct channel exists. */
export class DirectChannelCreated implements DomainEvent {
  readonly name = 'channel.direct_created';
  constructor(
    readonly channelId: string,
    readonly creatorId: string,
    readonly teammateId: string,
  ) {}
}
