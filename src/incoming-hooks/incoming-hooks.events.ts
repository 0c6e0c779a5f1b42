import type { DomainEvent } from '../platform/events/domain-event.js';

/** An incoming webhook was created. */
export class IncomingHookCreated implements DomainEvent {
  readonly name = 'incoming_hook.created';
  constructor(readonly hookId: string) {}
}

/** An incoming webhook was deleted. */
export class IncomingHookDeleted implements DomainEvent {
  readonly name = 'incoming_hook.deleted';
  constructor(readonly hookId: string) {}
}

/** An incoming webhook was changed. */
export class IncomingHookUpdated implements DomainEvent {
  readonly name = 'incoming_hook.updated';
  constructor(readonly hookId: string) {}
}
