import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A channel was archived. */
export class ChannelArchived implements DomainEvent {
  static readonly event = 'channel.archived';
  readonly name = ChannelArchived.event;
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
    readonly deleteAt: number,
  ) {}
}
