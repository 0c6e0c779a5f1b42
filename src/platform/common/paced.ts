import { setTimeout as sleep } from 'node:timers/promises';
import { FairLimit } from './fair-limit.js';

/** The pause after each task, as a multiple of its duration. */
const REST = 7;
const LONGEST_REST_MS = 500;

/**
 * Runs expensive background tasks one at a time, alternating between owners, and pauses after each one to
 * leave most of the time for requests.
 */
export class Paced {
  private readonly limit = new FairLimit<string>(1, Infinity, () => new Error('Nothing is refused here.'));
  private readonly hurried = new AbortController();

  /** Stops pausing between tasks because the process is stopping. */
  hurry(): void {
    this.hurried.abort();
  }

  /** `forWhom` is an id; tasks with the same id keep their order. */
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
