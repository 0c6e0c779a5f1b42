import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** The system roles of an account have changed. */
export class UserRolesUpdated implements DomainEvent {
  static readonly event = 'user.roles_updated';
  readonly name = UserRolesUpdated.event;
  constructor(
    readonly userId: string,
    readonly roles: string,
  ) {}
}
