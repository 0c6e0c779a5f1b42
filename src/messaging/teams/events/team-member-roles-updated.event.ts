import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** The roles of a team member have changed. */
export class TeamMemberRolesUpdated implements DomainEvent {
  readonly name = 'team.member_roles_updated';
  constructor(
    readonly teamId: string,
    readonly userId: string,
  ) {}
}
