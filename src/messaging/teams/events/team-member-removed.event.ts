import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A user has left a team or was removed from it. */
export class TeamMemberRemoved implements DomainEvent {
  static readonly event = 'team.member_removed';
  readonly name = TeamMemberRemoved.event;
  constructor(
    readonly teamId: string,
    readonly userId: string,
    readonly actorId: string,
  ) {}
}
