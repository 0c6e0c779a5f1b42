import { Injectable } from '@nestjs/common';
import type { SharedCount } from '../../platform/scaling/shared-count.js';
import { SharedCounts } from '../../platform/scaling/shared-counts.js';
import { tooManyInvites } from '../remote-clusters.errors.js';

const ATTEMPTS = { max: 10, windowMs: 60_000 };
const MAX_CALLERS = 1_000;

/** Limits attempts to open invites: each costs up to two key derivations and may be a guess at the password. */
@Injectable()
export class InviteLimiter {
  private readonly attempts: SharedCount;

  constructor(counts: SharedCounts) {
    this.attempts = counts.open('invites', MAX_CALLERS);
  }

  /** Throws `tooManyInvites` for the eleventh attempt of a caller within the minute that began with the first. */
  take(caller: string, now: number): void {
    const waitMs = this.attempts.waitMs(caller, ATTEMPTS, now);
    if (waitMs > 0) throw tooManyInvites(Math.ceil(waitMs / 1000));
    this.attempts.note(caller, ATTEMPTS, now);
  }
}
