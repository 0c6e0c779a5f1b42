import type { DomainEvent } from '../../platform/events/domain-event.js';

/** One callback URL of an outgoing webhook is given up: it answered 410, or failed for too long. */
export class EndpointDisabled implements DomainEvent {
  readonly name = 'endpoint.disabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
    /** The address without its path, which may hold a secret. */
    readonly origin: string,
    readonly reason: 'gone' | 'failing',
  ) {}
}
