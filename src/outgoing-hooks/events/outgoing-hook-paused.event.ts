import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An outgoing webhook sends nothing for now; `reason` is its `paused_reason`. */
export class OutgoingHookPaused implements DomainEvent {
  readonly name = 'outgoing_hook.paused';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
    readonly reason: string,
  ) {}
}
