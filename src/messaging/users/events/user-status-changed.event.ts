import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** A user is online, away, not to be disturbed, or gone. */
export class UserStatusChanged implements DomainEvent {
  static readonly event = 'user.status_changed';
  readonly name = UserStatusChanged.event;
  constructor(
    readonly userId: string,
    readonly status: string,
  ) {}
}
