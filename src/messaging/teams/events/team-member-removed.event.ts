import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A user has left a team or was removed from it. */
export class TeamMemberRemoved implements DomainEvent {
  readonly name = 'team.member_removed';
  constructor(
    readonly teamId: string,
    readonly userId: string,
    readonly actorId: string,
  ) {}
}
