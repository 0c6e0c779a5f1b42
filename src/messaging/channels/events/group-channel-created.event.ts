import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A group channel exists. */
export class GroupChannelCreated implements DomainEvent {
  readonly name = 'channel.group_created';
  constructor(
    readonly channelId: string,
    readonly creatorId: string,
    readonly teammateIds: readonly string[],
  ) {}
}
