import type { DomainEvent } from '../../platform/events/event-bus.js';

/** A team was created. Its default channels are created in the same transaction. */
export class TeamCreated implements DomainEvent {
  readonly name = 'team.created';
  constructor(
    readonly teamId: string,
    readonly creatorId: string,
  ) {}
}

/** A team was archived. */
export class TeamDeleted implements DomainEvent {
  readonly name = 'team.deleted';
  constructor(readonly teamId: string) {}
}

/** A user has joined or rejoined a team. */
export class TeamMemberAdded implements DomainEvent {
  readonly name = 'team.member_added';
  constructor(
    readonly teamId: string,
    readonly userId: string,
    readonly actorId: string,
  ) {}
}

/** A user has left a team or was removed from it. */
export class TeamMemberRemoved implements DomainEvent {
  readonly name = 'team.member_removed';
  constructor(
    readonly teamId: string,
    readonly userId: string,
    readonly actorId: string,
  ) {}
}

/** The roles of a team member have changed. */
export class TeamMemberRolesUpdated implements DomainEvent {
  readonly name = 'team.member_roles_updated';
  constructor(
    readonly teamId: string,
    readonly userId: string,
  ) {}
}

/** An archived team was restored. */
export class TeamRestored implements DomainEvent {
  readonly name = 'team.restored';
  constructor(readonly teamId: string) {}
}

/** Fields of a team have changed. */
export class TeamUpdated implements DomainEvent {
  readonly name = 'team.updated';
  constructor(readonly teamId: string) {}
}
