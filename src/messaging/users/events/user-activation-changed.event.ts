import type { DomainEvent } from '../../../platform/events/domain-event.js';

/** An account was deactivated or activated. */
export class UserActivationChanged implements DomainEvent {
  readonly name = 'user.activation_changed';
  constructor(
    readonly userId: string,
    readonly isActive: boolean,
  ) {}
}
