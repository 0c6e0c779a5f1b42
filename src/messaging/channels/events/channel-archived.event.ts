import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A channel was archived. */
export class ChannelArchived implements DomainEvent {
  readonly name = 'channel.archived';
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
    readonly deleteAt: number,
  ) {}
}
