import type { DomainEvent } from '../../platform/events/event-bus.js';

/** Sessions of a user ended before they expired. An empty list means all sessions. */
export class SessionsRevoked implements DomainEvent {
  readonly name = 'sessions.revoked';
  constructor(
    readonly userId: string,
    readonly sessionIds: readonly string[],
  ) {}
}
