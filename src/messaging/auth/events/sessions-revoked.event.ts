import type { DomainEvent } from '../../../platform/common/events/event-bus.js';

/** Sessions of a user have ended before their time. An empty list means all of them. */
export class SessionsRevoked implements DomainEvent {
  static readonly event = 'sessions.revoked';
  readonly name = SessionsRevoked.event;
  constructor(
    readonly userId: string,
    readonly sessionIds: readonly string[],
  ) {}
}
