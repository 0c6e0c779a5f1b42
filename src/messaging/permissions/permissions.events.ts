import type { DomainEvent } from '../../platform/events/event-bus.js';

/** The permissions of a role have changed. */
export class RoleUpdated implements DomainEvent {
  readonly name = 'role.updated';
  constructor(readonly roleId: string) {}
}
