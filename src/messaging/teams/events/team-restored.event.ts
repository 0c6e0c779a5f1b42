import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** An archived team is back. */
export class TeamRestored implements DomainEvent {
  static readonly event = 'team.restored';
  readonly name = TeamRestored.event;
  constructor(readonly teamId: string) {}
}
