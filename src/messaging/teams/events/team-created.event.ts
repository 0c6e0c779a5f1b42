import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A team exists. Its default channels are made in the same transaction. */
export class TeamCreated implements DomainEvent {
  static readonly event = 'team.created';
  readonly name = TeamCreated.event;
  constructor(
    readonly teamId: string,
    readonly creatorId: string,
  ) {}
}
