import type { DomainEvent } from '../platform/events/event-bus.js';

export class IncomingHookCreated implements DomainEvent {
  readonly name = 'incoming_hook.created';
  constructor(readonly hookId: string) {}
}

export class IncomingHookDeleted implements DomainEvent {
  readonly name = 'incoming_hook.deleted';
  constructor(readonly hookId: string) {}
}

export class IncomingHookUpdated implements DomainEvent {
  readonly name = 'incoming_hook.updated';
  constructor(readonly hookId: string) {}
}
