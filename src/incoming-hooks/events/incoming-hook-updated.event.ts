import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An incoming webhook was changed. */
export class IncomingHookUpdated implements DomainEvent {
  readonly name = 'incoming_hook.updated';
  constructor(readonly hookId: string) {}
}
