import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A group channel exists. */
export class GroupChannelCreated implements DomainEvent {
  static readonly event = 'channel.group_created';
  readonly name = GroupChannelCreated.event;
  constructor(
    readonly channelId: string,
    readonly creatorId: string,
    readonly teammateIds: readonly string[],
  ) {}
}
