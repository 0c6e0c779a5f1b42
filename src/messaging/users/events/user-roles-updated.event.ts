import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** The system roles of an account have changed. */
export class UserRolesUpdated implements DomainEvent {
  readonly name = 'user.roles_updated';
  constructor(
    readonly userId: string,
    readonly roles: string,
  ) {}
}
