import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** The rest after each work, as a multiple of its time. */
const REST = 7;
const LONGEST_REST_MS = 500;

/**
 * Runs costly work in the background one after the other, and rests after each, so that most of the time is left for
 * requests.
 */
export class Paced {
  private readonly limit = pLimit(1);
  private readonly hurried = new AbortController();

  /** From now on it does not rest: the process is stopping. */
  hurry(): void {
    this.hurried.abort();
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      void this.limit(async () => {
        const startedAt = performance.now();
        await work().then(resolve, reject);
        const rest = Math.min(REST * (performance.now() - startedAt), LONGEST_REST_MS);
        const { signal } = this.hurried;
        await sleep(rest, undefined, { ref: false, signal }).catch(() => undefined);
      });
    });
  }
}
