import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { ACTIVITY_INTERVAL_MS, extendedExpiry } from './session-lifetime.js';
import { SessionsRepository } from './sessions.repository.js';
import type { KnownToken } from './token-cache.js';

/** Writes down when sessions were last used, and prolongs them; off the path of the request that used them. */
@Injectable()
export class SessionActivity {
  private readonly logger = new Logger(SessionActivity.name);

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly commits: CommitEngine,
    private readonly clock: Clock,
  ) {}

  /** True when the session lives longer now than before. */
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

  /** When it fails, the next use of the session in some minutes tries again. */
  private async store({ actor, lastActivityAt, expiresAt }: KnownToken): Promise<void> {
    try {
      await this.commits.run(this.sessions.recordActivity(actor.sessionId, lastActivityAt, expiresAt));
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        this.logger.error('The use of a session was not written down.', stackOf(error));
    }
  }
}
