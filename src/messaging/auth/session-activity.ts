import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { ACTIVITY_INTERVAL_MS, extendedExpiry } from './session-lifetime.js';
import { SessionsRepository } from './sessions.repository.js';
import type { KnownToken } from './token-cache.js';

/** Records when sessions are used, and extends them. Requests do not wait for the write. */
@Injectable()
export class SessionActivity {
  private readonly logger = new Logger(SessionActivity.name);

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly commits: CommitEngine,
    private readonly clock: Clock,
  ) {}

  /** Returns whether the session was extended. */
  touch(token: KnownToken): boolean {
    const now = this.clock.now();
    if (token.isPersonal || now - token.lastActivityAt < ACTIVITY_INTERVAL_MS) return false;
    const expiresAt = extendedExpiry(token.expiresAt, now);
    const isExtended = expiresAt !== token.expiresAt;
    token.lastActivityAt = now;
    token.expiresAt = expiresAt;
    void this.store(token);
    return isExtended;
  }

  /** Never throws: after a failure, the next use of the session in a few minutes tries again. */
  private async store({ actor, lastActivityAt, expiresAt }: KnownToken): Promise<void> {
    try {
      await this.commits.run(this.sessions.recordActivity(actor.sessionId, lastActivityAt, expiresAt));
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        this.logger.error('The activity of a session was not stored.', stackOf(error));
    }
  }
}
