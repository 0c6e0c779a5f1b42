import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** Profile fields of an account have changed. */
export class UserUpdated implements DomainEvent {
  static readonly event = 'user.updated';
  readonly name = UserUpdated.event;
  constructor(readonly userId: string) {}
}
