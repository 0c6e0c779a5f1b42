import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A team was archived. */
export class TeamDeleted implements DomainEvent {
  static readonly event = 'team.deleted';
  readonly name = TeamDeleted.event;
  constructor(readonly teamId: string) {}
}
