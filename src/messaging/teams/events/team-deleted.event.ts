import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A team was archived. */
export class TeamDeleted implements DomainEvent {
  readonly name = 'team.deleted';
  constructor(readonly teamId: string) {}
}
