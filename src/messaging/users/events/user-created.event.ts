import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** An account exists. */
export class UserCreated implements DomainEvent {
  readonly name = 'user.created';
  constructor(readonly userId: string) {}
}
