import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** A user is online, away, not to be disturbed, or gone. */
export class UserStatusChanged implements DomainEvent {
  readonly name = 'user.status_changed';
  constructor(
    readonly userId: string,
    readonly status: string,
  ) {}
}
