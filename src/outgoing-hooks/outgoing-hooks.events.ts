import type { DomainEvent } from '../platform/events/event-bus.js';

/** A callback URL of an outgoing webhook was disabled: it answered 410, or failed for too long. */
export class EndpointDisabled implements DomainEvent {
  readonly name = 'endpoint.disabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
    /** The origin of the URL only, since its path may contain a secret. */
    readonly origin: string,
    readonly reason: 'gone' | 'failing',
  ) {}
}

/** An outgoing webhook was created. */
export class OutgoingHookCreated implements DomainEvent {
  readonly name = 'outgoing_hook.created';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}

/** An outgoing webhook was deleted, and its open deliveries were cancelled. */
export class OutgoingHookDeleted implements DomainEvent {
  readonly name = 'outgoing_hook.deleted';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}

/** An outgoing webhook was disabled, because all its callback URLs are. */
export class OutgoingHookDisabled implements DomainEvent {
  readonly name = 'outgoing_hook.disabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}

/** A disabled outgoing webhook was enabled again. */
export class OutgoingHookEnabled implements DomainEvent {
  readonly name = 'outgoing_hook.enabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}

/** An outgoing webhook was paused; `reason` is its `paused_reason`. */
export class OutgoingHookPaused implements DomainEvent {
  readonly name = 'outgoing_hook.paused';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
    readonly reason: string,
  ) {}
}

/** A paused outgoing webhook resumed. */
export class OutgoingHookResumed implements DomainEvent {
  readonly name = 'outgoing_hook.resumed';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}

/** An outgoing webhook was changed. */
export class OutgoingHookUpdated implements DomainEvent {
  readonly name = 'outgoing_hook.updated';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
