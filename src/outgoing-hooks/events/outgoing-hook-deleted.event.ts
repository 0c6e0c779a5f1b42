import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An outgoing webhook was deleted, and its open deliveries were cancelled. */
export class OutgoingHookDeleted implements DomainEvent {
  readonly name = 'outgoing_hook.deleted';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
