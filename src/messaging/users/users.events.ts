import type { DomainEvent } from '../../platform/events/event-bus.js';

/** Client settings of a user were stored or deleted. */
export class PreferencesChanged implements DomainEvent {
  readonly name = 'preferences.changed';
  constructor(
    readonly userId: string,
    readonly preferences: readonly { category: string; name: string; value: string }[],
    readonly isDeletion: boolean,
  ) {}
}

/** An account was deactivated or activated. */
export class UserActivationChanged implements DomainEvent {
  readonly name = 'user.activation_changed';
  constructor(
    readonly userId: string,
    readonly isActive: boolean,
  ) {}
}

/** An account was created. */
export class UserCreated implements DomainEvent {
  readonly name = 'user.created';
  constructor(readonly userId: string) {}
}

/** An account has a new password. Its other sessions end; the kept one is empty if another user set it. */
export class UserPasswordChanged implements DomainEvent {
  readonly name = 'user.password_changed';
  constructor(
    readonly userId: string,
    readonly keptSessionId: string,
  ) {}
}

/** The system roles of an account have changed. */
export class UserRolesUpdated implements DomainEvent {
  readonly name = 'user.roles_updated';
  constructor(
    readonly userId: string,
    readonly roles: string,
  ) {}
}

/** An account was created with an invite id. A listener that does not know the id throws (docs/contract/messaging.md#sign-up). */
export class UserSignedUp implements DomainEvent {
  readonly name = 'user.signed_up';
  constructor(
    readonly userId: string,
    readonly inviteId: string,
  ) {}
}

/** A user's status changed. */
export class UserStatusChanged implements DomainEvent {
  readonly name = 'user.status_changed';
  constructor(
    readonly userId: string,
    readonly status: string,
  ) {}
}

/** Profile fields of an account have changed. */
export class UserUpdated implements DomainEvent {
  readonly name = 'user.updated';
  constructor(readonly userId: string) {}
}
