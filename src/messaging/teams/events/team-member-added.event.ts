import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A user has joined a team, or is back in it. */
export class TeamMemberAdded implements DomainEvent {
  readonly name = 'team.member_added';
  constructor(
    readonly teamId: string,
    readonly userId: string,
    readonly actorId: string,
  ) {}
}
