import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** An account was deactivated or activated. */
export class UserActivationChanged implements DomainEvent {
  static readonly event = 'user.activation_changed';
  readonly name = UserActivationChanged.event;
  constructor(
    readonly userId: string,
    readonly isActive: boolean,
  ) {}
}
