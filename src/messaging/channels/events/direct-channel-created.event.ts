import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A direct channel exists. */
export class DirectChannelCreated implements DomainEvent {
  static readonly event = 'channel.direct_created';
  readonly name = DirectChannelCreated.event;
  constructor(
    readonly channelId: string,
    readonly creatorId: string,
    readonly teammateId: string,
  ) {}
}
