import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** Fields of a team have changed. */
export class TeamUpdated implements DomainEvent {
  readonly name = 'team.updated';
  constructor(readonly teamId: string) {}
}
