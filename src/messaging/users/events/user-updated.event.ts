import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** Profile fields of an account have changed. */
export class UserUpdated implements DomainEvent {
  readonly name = 'user.updated';
  constructor(readonly userId: string) {}
}
