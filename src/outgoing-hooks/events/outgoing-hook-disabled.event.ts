import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An outgoing webhook was disabled, because all its callback URLs are. */
export class OutgoingHookDisabled implements DomainEvent {
  readonly name = 'outgoing_hook.disabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
