import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An outgoing webhook was changed. */
export class OutgoingHookUpdated implements DomainEvent {
  readonly name = 'outgoing_hook.updated';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
