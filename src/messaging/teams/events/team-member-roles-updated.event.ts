import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** The roles of a team member have changed. */
export class TeamMemberRolesUpdated implements DomainEvent {
  static readonly event = 'team.member_roles_updated';
  readonly name = TeamMemberRolesUpdated.event;
  constructor(
    readonly teamId: string,
    readonly userId: string,
  ) {}
}
