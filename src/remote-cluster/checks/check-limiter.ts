import { Injectable } from '@nestjs/common';
import type { SharedCount } from '../../platform/scaling/shared-count.js';
import { SharedCounts } from '../../platform/scaling/shared-counts.js';
import { tooManyChecks } from '../remote-clusters.errors.js';

const CHECKS = { max: 6, windowMs: 60_000 };
const MAX_CONNECTIONS = 1_000;

/** Limits checks: a peer must not be called as often as somebody presses a button. */
@Injectable()
export class CheckLimiter {
  private readonly checks: SharedCount;

  constructor(counts: SharedCounts) {
    this.checks = counts.open('peer checks', MAX_CONNECTIONS);
  }

  /** Throws `tooManyChecks` for the seventh check of a connection within the minute that began with the first. */
  take(rowId: string, now: number): void {
    const waitMs = this.checks.waitMs(rowId, CHECKS, now);
    if (waitMs > 0) throw tooManyChecks(Math.ceil(waitMs / 1000));
    this.checks.note(rowId, CHECKS, now);
  }
}
