import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { ACTIVITY_INTERVAL_MS, extendedExpiry } from './session-lifetime.js';
import { SessionsRepository } from './sessions.repository.js';
import type { KnownToken } from './token-directory.js';

const MAX_PENDING = 5_000;

/** Writes down when sessions were last used, and prolongs them; off the path of the request that used them. */
@Injectable()
export class SessionActivity implements OnModuleDestroy {
  private readonly logger = new Logger(SessionActivity.name);
  private readonly pending = new Map<string, KnownToken>();
  private writing: Promise<void> | undefined;

  constructor(
    private readonly sessions: SessionsRepository,
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
    if (this.pending.size < MAX_PENDING) this.pending.set(token.actor.sessionId, token);
    this.writing ??= this.write();
    return isExtended;
  }

  async onModuleDestroy(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    await new Promise(setImmediate);
    try {
      for (const [id, token] of this.pending) {
        this.pending.delete(id);
        await this.sessions.recordActivity(id, token.lastActivityAt, token.expiresAt);
      }
    } catch (error) {
      this.pending.clear(); // the next use of each session tries again in some minutes
      this.logger.warn(
        `The use of some sessions was not written down: ${error instanceof Error ? error.message : 'unknown'}.`,
      );
    } finally {
      this.writing = undefined;
    }
  }
}
