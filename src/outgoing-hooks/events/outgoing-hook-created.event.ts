import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An outgoing webhook was created. */
export class OutgoingHookCreated implements DomainEvent {
  readonly name = 'outgoing_hook.created';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
