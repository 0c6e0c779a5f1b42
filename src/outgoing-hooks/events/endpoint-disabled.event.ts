import type { DomainEvent } from '../../platform/events/domain-event.js';

/** A callback URL of an outgoing webhook was disabled: it answered 410, or failed for too long. */
export class EndpointDisabled implements DomainEvent {
  readonly name = 'endpoint.disabled';
  constructor(
    readonly hookId: string,
    readonly teamId: string,
    /** The origin of the URL only, since its path may contain a secret. */
    readonly origin: string,
    readonly reason: 'gone' | 'failing',
  ) {}
}
