import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** An open or private channel exists. */
export class ChannelCreated implements DomainEvent {
  readonly name = 'channel.created';
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly creatorId: string,
  ) {}
}
