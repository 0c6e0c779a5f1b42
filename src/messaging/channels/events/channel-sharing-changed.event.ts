import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** Other servers share a channel from now on, or no longer. */
export class ChannelSharingChanged implements DomainEvent {
  readonly name = 'channel.sharing_changed';
  constructor(readonly channelId: string) {}
}
