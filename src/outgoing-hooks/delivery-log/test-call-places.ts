import { Injectable } from '@nestjs/common';
import { endpointLane } from '../../delivery/dispatch/lane-name.js';
import { tooManyTestCalls } from '../outgoing-hooks.errors.js';

/** Limits per process. An endpoint's connection limit is above deliveries and test calls combined. */
const LIMITS = {
  user: { max: 4, what: 'You have 4 test calls' },
  endpoint: { max: 8, what: 'The endpoint has 8 test calls' },
  server: { max: 32, what: 'The server has 32 test calls' },
} as const;

/**
 * Concurrency slots for test calls, separate from those of deliveries: a delivery can wait for a slow
 * endpoint, a user should not. A test call without a free slot is refused.
 */
@Injectable()
export class TestCallPlaces {
  private readonly taken = new Map<string, number>();

  /** Makes a test call of a user to a URL. Throws `tooManyTestCalls`. */
  async run<T>(userId: string, url: string, call: () => Promise<T>): Promise<T> {
    const places = [
      ['user', `user ${userId}`],
      ['endpoint', `endpoint ${URL.canParse(url) ? endpointLane(url) : ''}`],
      ['server', 'server'],
    ] as const;
    for (const [limit, key] of places)
      if (this.count(key) >= LIMITS[limit].max) throw tooManyTestCalls(LIMITS[limit].what);
    for (const [, key] of places) this.taken.set(key, this.count(key) + 1);
    try {
      return await call();
    } finally {
      for (const [, key] of places) this.leave(key);
    }
  }

  private count(key: string): number {
    return this.taken.get(key) ?? 0;
  }

  private leave(key: string): void {
    const left = this.count(key) - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
  }
}
