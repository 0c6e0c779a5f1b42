import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A user who has left a team is in none of its channels any more. */
export class TeamChannelsLeft implements DomainEvent {
  readonly name = 'channel.team_channels_left';
  constructor(
    readonly teamId: string,
    readonly userId: string,
    readonly channelIds: readonly string[],
  ) {}
}
