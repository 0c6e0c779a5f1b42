import type { DomainEvent } from '../../platform/events/domain-event.js';

/** A paused outgoing webhook fires again. */
export class OutgoingHookResumed implements DomainEvent {
  readonly name = 'outgoing_hook.resumed';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
