import type { DomainEvent } from '../../../platform/events/domain-event.js';

/**
 * An account was made with an invite id, and the teams decide what the invite is worth. A
 * listener that does not know the invite throws, and no account is made (docs/contract/messaging.md#sign-up).
 */
export class UserSignedUp implements DomainEvent {
  readonly name = 'user.signed_up';
  constructor(
    readonly userId: string,
    readonly inviteId: string,
  ) {}
}
