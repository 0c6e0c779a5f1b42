import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** An archived team is back. */
export class TeamRestored implements DomainEvent {
  readonly name = 'team.restored';
  constructor(readonly teamId: string) {}
}
