import { setTimeout as sleep } from 'node:timers/promises';
import { FairLimit } from './fair-limit.js';

/** The rest after each work, as a multiple of its time. */
const REST = 7;
const LONGEST_REST_MS = 500;

/**
 * Runs costly work in the background one after the other, by turns of whom it is for, and rests after each, so that most of
 * the time is left for requests.
 */
export class Paced {
  private readonly limit = new FairLimit<string>(1, Infinity, () => new Error('Nothing is refused here.'));
  private readonly hurried = new AbortController();

  /** From now on it does not rest: the process is stopping. */
  hurry(): void {
    this.hurried.abort();
  }

  /** `forWhom` is an id; works for the same keep their order. */
  run<T>(forWhom: string, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      void this.limit.run(forWhom, async () => {
        const startedAt = performance.now();
        await work().then(resolve, reject);
        const rest = Math.min(REST * (performance.now() - startedAt), LONGEST_REST_MS);
        const { signal } = this.hurried;
        await sleep(rest, undefined, { ref: false, signal }).catch(() => undefined);
      });
    });
  }
}
