import type { DomainEvent } from '../platform/events/event-bus.js';

/** A callback URL of an outgoing webhook was disabled: it answered 410, wants no more calls, or failed for too long. */
export class EndpointDisabled implements DomainEvent {
  readonly name = 'endpoint.disabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
    /** The origin of the URL only, since its path may contain a secret. */
    readonly origin: string,
    readonly reason: 'gone' | 'disabled_by_receiver' | 'failing',
  ) {}
}

abstract class OutgoingHookEvent implements DomainEvent {
  abstract readonly name: string;
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}

/** An outgoing webhook was created. */
export class OutgoingHookCreated extends OutgoingHookEvent {
  readonly name = 'outgoing_hook.created';
}

/** An outgoing webhook was deleted, and its open deliveries were cancelled. */
export class OutgoingHookDeleted extends OutgoingHookEvent {
  readonly name = 'outgoing_hook.deleted';
}

/** An outgoing webhook was disabled, because all its callback URLs are. */
export class OutgoingHookDisabled extends OutgoingHookEvent {
  readonly name = 'outgoing_hook.disabled';
}

/** A disabled outgoing webhook was enabled again. */
export class OutgoingHookEnabled extends OutgoingHookEvent {
  readonly name = 'outgoing_hook.enabled';
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

abstract class EndpointHealthChanged extends OutgoingHookEvent {
  constructor(
    hookId: string,
    teamId: string,
    /** The origin of the URL only, since its path may contain a secret. */
    readonly origin: string,
  ) {
    super(hookId, teamId);
  }
}

/** The first callback URL of an outgoing webhook began to fail. */
export class OutgoingHookFailing extends EndpointHealthChanged {
  readonly name = 'outgoing_hook.failing';
}

/** No callback URL of an outgoing webhook is failing any more. */
export class OutgoingHookRecovered extends EndpointHealthChanged {
  readonly name = 'outgoing_hook.recovered';
}

/** A paused outgoing webhook resumed. */
export class OutgoingHookResumed extends OutgoingHookEvent {
  readonly name = 'outgoing_hook.resumed';
}

/** An outgoing webhook was changed. */
export class OutgoingHookUpdated extends OutgoingHookEvent {
  readonly name = 'outgoing_hook.updated';
}

/** Any change of what a webhook may send. */
export interface OutgoingHookSwitched extends DomainEvent {
  readonly hookId: string;
  readonly teamId: string;
  readonly origin?: string;
  readonly reason?: string;
}
