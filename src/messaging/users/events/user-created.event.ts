import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** An account exists. */
export class UserCreated implements DomainEvent {
  static readonly event = 'user.created';
  readonly name = UserCreated.event;
  constructor(readonly userId: string) {}
}
