import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** An open channel became private, or the other way round. */
export class ChannelConverted implements DomainEvent {
  readonly name = 'channel.converted';
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
    readonly type: string,
  ) {}
}
