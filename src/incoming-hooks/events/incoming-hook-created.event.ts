import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An incoming webhook was created. */
export class IncomingHookCreated implements DomainEvent {
  readonly name = 'incoming_hook.created';
  constructor(readonly hookId: string) {}
}
