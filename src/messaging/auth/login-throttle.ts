import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { clientBlock } from '../../platform/common/ip-address.js';
import { LOCK_MS, MAX_FAILED_ATTEMPTS } from '../users/passwords/credentials.service.js';
import { AttemptQueue } from '../users/passwords/attempt-queue.js';
import { TooManyFailedAttempts } from '../users/users.errors.js';
import { TooManyFromAddress } from './auth.errors.js';
import { tokenHash } from './token-hash.js';

const WINDOW_MS = 60_000;
const MAX_FAILURES_PER_WINDOW = 20;
const MAX_ENTRIES = 10_000;
const FIRST_DELAY_MS = 20;
const MAX_DELAY_MS = 1_000;
const MAX_DELAYED = 500;

/** Slows down password guessing, by address and by account. Unknown accounts behave like existing ones. */
@Injectable()
export class LoginThrottle {
  private readonly failures = new Map<string, number[]>();
  private readonly unknown = new Map<string, { count: number; lastAt: number }>();
  private readonly queue = new AttemptQueue();
  private delayed = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Runs a login attempt after earlier ones from the same address. Throws TooManyFromAddress if too many of them failed
   * within a minute. Local mode has no address, and no limit.
   */
  fromAddress<T extends { user: unknown }>(address: string, judge: () => Promise<T>): Promise<T> {
    if (address === '') return judge();
    const block = clientBlock(address);
    return this.queue.run(block, async () => {
      this.requireBelowLimit(block);
      try {
        const judgement = await judge();
        if (!judgement.user) this.recordFailure(block);
        return judgement;
      } catch (error) {
        if (error instanceof TooManyFailedAttempts) this.recordFailure(block);
        throw error;
      }
    });
  }

  /** Counts and returns the failed logins for an unknown account. After too many, throws like a locked account. */
  countUnknown(loginId: string): number {
    const now = this.clock.now();
    const key = tokenHash(loginId.trim().toLowerCase()); // hashed to limit its length
    const known = this.unknown.get(key);
    const isLocked = known !== undefined && known.count >= MAX_FAILED_ATTEMPTS;
    if (isLocked && now < known.lastAt + LOCK_MS) throw new TooManyFailedAttempts();
    const count = isLocked || !known ? 1 : known.count + 1;
    put(this.unknown, key, { count, lastAt: now });
    return count;
  }

  /** Delays the response after `failures` failures in a row; each doubles the delay, up to a maximum. */
  async delay(failures: number): Promise<void> {
    if (this.delayed >= MAX_DELAYED) return;
    this.delayed++;
    const ms = Math.min(FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1), MAX_DELAY_MS);
    await new Promise((resolve) => setTimeout(resolve, ms).unref());
    this.delayed--;
  }

  private requireBelowLimit(block: string): void {
    const now = this.clock.now();
    const recent = this.recent(block, now);
    const [oldest] = recent;
    if (oldest === undefined || recent.length <= MAX_FAILURES_PER_WINDOW) return;
    throw new TooManyFromAddress(Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000)));
  }

  private recordFailure(block: string): void {
    const now = this.clock.now();
    put(this.failures, block, [...this.recent(block, now), now].slice(-MAX_FAILURES_PER_WINDOW - 1));
  }

  private recent(block: string, now: number): number[] {
    return (this.failures.get(block) ?? []).filter((at) => at > now - WINDOW_MS);
  }
}

/** Adds an entry, and removes the oldest if there are too many. */
function put<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > MAX_ENTRIES ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
