import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { type SharedCount, SharedCounts } from '../../platform/scaling/shared-counts.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { originOf } from '../incoming-hooks.repository.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';
import { tooManyCalls } from './execution.errors.js';

const WINDOW_MS = 60_000;

/** The `X-RateLimit-*` headers of a response. */
export type RateHeaders = Readonly<Record<string, string>>;

/** Limits how often each webhook is called, across all processes (docs/contract/incoming-webhooks.md#rate-limit). */
@Injectable()
export class CallRates {
  private readonly calls: SharedCount;

  constructor(
    private readonly settings: IncomingHooksSettings,
    private readonly clock: Clock,
    counts: SharedCounts,
  ) {
    this.calls = counts.open('calls of incoming webhooks');
  }

  /** Counts a call. Undefined if the webhook has no limit. Throws ExecutionFailed beyond the limit. */
  take(hook: IncomingHook): RateHeaders | undefined {
    const { rateLimit } = hook;
    const id = originOf(hook);
    const max = rateLimit || this.settings.incomingWebhookCallsPerMinute;
    if (max === 0) return undefined;
    const allowance = { max, windowMs: WINDOW_MS };
    const now = this.clock.now();
    if (this.calls.waitMs(id, allowance, now) > 0) {
      const headers = this.headers(id, max, max, now);
      throw tooManyCalls(max, { ...headers, 'Retry-After': headers['X-RateLimit-Reset'] ?? '1' });
    }
    return this.headers(id, max, this.calls.note(id, allowance, now), now);
  }

  private headers(id: string, max: number, count: number, now: number): RateHeaders {
    return {
      'X-RateLimit-Limit': String(max),
      'X-RateLimit-Remaining': String(Math.max(0, max - count)),
      'X-RateLimit-Reset': String(Math.ceil(Math.max(0, this.calls.endsAt(id) - now) / 1000)),
    };
  }
}
