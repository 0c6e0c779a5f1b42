import type { DomainEvent } from '../../../platform/events/domain-event.js';

/**
 * An account has a new password. Every session ends but the one that changed it, which is empty
 * when somebody else did.
 */
export class UserPasswordChanged implements DomainEvent {
  readonly name = 'user.password_changed';
  constructor(
    readonly userId: string,
    readonly keptSessionId: string,
  ) {}
}
