import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An outgoing webhook is off: all its callback URLs are given up. */
export class OutgoingHookDisabled implements DomainEvent {
  readonly name = 'outgoing_hook.disabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
