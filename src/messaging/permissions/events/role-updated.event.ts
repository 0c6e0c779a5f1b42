import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** The permissions of a role have changed. */
export class RoleUpdated implements DomainEvent {
  static readonly event = 'role.updated';
  readonly name = RoleUpdated.event;
  constructor(readonly roleId: string) {}
}
