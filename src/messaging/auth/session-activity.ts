import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { SessionsRepository } from './sessions.repository.js';
import type { KnownToken } from './token-cache.js';

const HOUR_MS = 3_600_000;

/** How long an unused session lasts (docs/contract/messaging.md#sessions). */
export const SESSION_LENGTH_MS = 720 * HOUR_MS;
/** A session in use is extended after this time: one percent of its length, between five minutes and a day. */
const EXTENSION_AFTER_MS = Math.max(5 * 60_000, Math.min(SESSION_LENGTH_MS / 100, 24 * HOUR_MS));
/** How often the activity of a session is stored. */
const ACTIVITY_INTERVAL_MS = 5 * 60_000;
/** The maximum number of sessions per user; beyond that, the least recently used sessions end. */
export const MAX_SESSIONS_PER_USER = 500;

/** The expiry of a session that is used at `now`, extended if due. */
function extendedExpiry(expiresAt: number, now: number): number {
  const passed = SESSION_LENGTH_MS - (expiresAt - now);
  return expiresAt > 0 && passed >= EXTENSION_AFTER_MS ? now + SESSION_LENGTH_MS : expiresAt;
}

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

  /** Never throws; after a failure, it is retried when the session is used again a few minutes later. */
  private async store({ actor, lastActivityAt, expiresAt }: KnownToken): Promise<void> {
    try {
      await this.commits.run(this.sessions.recordActivity(actor.sessionId, lastActivityAt, expiresAt));
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        this.logger.error('The activity of a session was not stored.', stackOf(error));
    }
  }
}
