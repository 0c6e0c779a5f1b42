import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An incoming webhook was deleted. */
export class IncomingHookDeleted implements DomainEvent {
  readonly name = 'incoming_hook.deleted';
  constructor(readonly hookId: string) {}
}
