import type { DomainEvent } from '../../platform/events/domain-event.js';

/** A disabled outgoing webhook was enabled again. */
export class OutgoingHookEnabled implements DomainEvent {
  readonly name = 'outgoing_hook.enabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
