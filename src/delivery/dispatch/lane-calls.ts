import type { Job } from './job.js';

/**
 * What is known of an endpoint: `unknown` until its first call is over, `trusted` while its last call went well,
 * `suspect` while its last call failed or one hangs.
 */
export type Standing = 'trusted' | 'unknown' | 'suspect';

/** An endpoint nobody knows yet gets few calls at once; each success allows one more. */
const FIRST_LIMIT = 2;

/**
 * The calls of one lane: how many run, and how many may. The limit starts low, rises by one with each success and halves
 * with each failure, so that an endpoint that hangs holds few places.
 */
export class LaneCalls {
  running = 0;
  limit: number;
  standing: Standing = 'unknown';
  lastUsedAt = 0;
  private readonly startTimes = new Map<Job, number>();

  constructor(private readonly maxRunning: number) {
    this.limit = Math.min(FIRST_LIMIT, maxRunning);
  }

  get hasPlace(): boolean {
    return this.running < this.limit;
  }

  /** Since when the oldest call runs; Infinity when none does. */
  get oldestStart(): number {
    for (const startedAt of this.startTimes.values()) return startedAt;
    return Infinity;
  }

  started(job: Job, now: number): void {
    this.running++;
    this.startTimes.set(job, now);
    this.lastUsedAt = now;
  }

  /** `hasSucceeded` is undefined when the call says nothing about the endpoint. */
  finished(job: Job, hasSucceeded: boolean | undefined, now: number): void {
    this.running--;
    this.startTimes.delete(job);
    this.lastUsedAt = now;
    if (hasSucceeded === undefined) return;
    this.limit = hasSucceeded
      ? Math.min(this.maxRunning, this.limit + 1)
      : Math.max(1, Math.floor(this.limit / 2));
  }
}
