import type { DomainEvent } from '../../platform/events/domain-event.js';

/** Sessions of a user have ended before their time. An empty list means all of them. */
export class SessionsRevoked implements DomainEvent {
  readonly name = 'sessions.revoked';
  constructor(
    readonly userId: string,
    readonly sessionIds: readonly string[],
  ) {}
}
