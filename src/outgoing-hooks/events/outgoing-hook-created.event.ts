import type { DomainEvent } from '../../platform/events/domain-event.js';

/** An outgoing webhook exists. */
export class OutgoingHookCreated implements DomainEvent {
  readonly name = 'outgoing_hook.created';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
  ) {}
}
