import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An outgoing webhook that was off is on again. */
export class OutgoingHookEnabled implements DomainEvent {
  readonly name = 'outgoing_hook.enabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
