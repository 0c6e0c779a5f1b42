import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A team exists. Its default channels are made in the same transaction. */
export class TeamCreated implements DomainEvent {
  readonly name = 'team.created';
  constructor(
    readonly teamId: string,
    readonly creatorId: string,
  ) {}
}
