import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** Fields of a team have changed. */
export class TeamUpdated implements DomainEvent {
  static readonly event = 'team.updated';
  readonly name = TeamUpdated.event;
  constructor(readonly teamId: string) {}
}
