import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A user has joined a team, or is back in it. */
export class TeamMemberAdded implements DomainEvent {
  static readonly event = 'team.member_added';
  readonly name = TeamMemberAdded.event;
  constructor(
    readonly teamId: string,
    readonly userId: string,
    readonly actorId: string,
  ) {}
}
