import { Fifo } from './fifo.js';
import type { Job } from './job.js';
import { isOrderedLane } from './lane-name.js';

/**
 * What is known of an endpoint: `unknown` until its first call is over, `trusted` while its last call went well,
 * `suspect` while its last call failed or one hangs.
 */
export type Standing = 'trusted' | 'unknown' | 'suspect';

/** An endpoint nobody knows yet gets few calls at once; each success allows one more. */
const FIRST_LIMIT = 2;
/** After so many first attempts in a row one retry has its turn. */
const FRESH_PER_RETRY = 4;

/** Deliveries of a lane that were never tried, or that wait for another try: in memory, and in the table beyond it. */
export class Source {
  readonly queue = new Fifo<Job>();
  /** There are due rows that are not in memory. */
  hasBacklog = false;
  isFetching = false;
  /** Rows were committed while the table was being read, which may not have seen them. */
  hasMissed = false;
  /** While the table was being read, the first one of an ordered lane came back: what was read must not go before it. */
  isStale = false;
  /** When the earliest row that is not due yet becomes due; in an ordered lane, when its first one has its next turn. */
  nextDueAt = Infinity;

  constructor(
    readonly status: 'pending' | 'retrying',
    private readonly isOrdered: boolean,
  ) {}

  /** Whether a new row may be kept in memory without overtaking older ones in the table. */
  get isOpen(): boolean {
    return !this.hasBacklog && !this.isFetching && !(this.isOrdered && this.nextDueAt !== Infinity);
  }

  dueAt(at: number): void {
    this.nextDueAt = Math.min(this.nextDueAt, at);
  }
}

/**
 * The bulkhead of one endpoint: what waits for it, how many calls it has, and how many it may have. The limit starts
 * low, rises by one with each success and halves with each failure, so that an endpoint that hangs holds few calls.
 * An ordered lane (an ordering key) has one call at a time and never goes on before its first delivery is settled.
 */
export class Lane {
  readonly fresh: Source;
  readonly retries: Source;
  running = 0;
  limit: number;
  readonly isOrdered: boolean;
  standing: Standing = 'unknown';
  lastUsedAt = 0;
  /** Ordered: somebody has said during the call that its receiver is back. */
  isWoken = false;
  private freshInARow = 0;
  private readonly startTimes = new Map<Job, number>();

  constructor(
    readonly name: string,
    private readonly maxRunning: number,
  ) {
    const isOrdered = (this.isOrdered = isOrderedLane(name));
    this.fresh = new Source('pending', isOrdered);
    this.retries = new Source('retrying', isOrdered);
    this.limit = isOrdered ? 1 : Math.min(FIRST_LIMIT, maxRunning);
  }

  get sources(): readonly Source[] {
    return [this.fresh, this.retries];
  }

  get queued(): number {
    return this.fresh.queue.size + this.retries.queue.size;
  }

  get canStart(): boolean {
    return this.running < this.limit && this.queued > 0;
  }

  /** The first one of an ordered lane has failed: it has its next turn later, and what is behind it waits with it. */
  isPaused(now: number): boolean {
    return this.isOrdered && this.sources.some(({ nextDueAt }) => nextDueAt !== Infinity && nextDueAt > now);
  }

  /** Nothing to do now or later: the lane can be forgotten. */
  get isIdle(): boolean {
    return (
      this.running === 0 &&
      this.queued === 0 &&
      this.sources.every((source) => source.isOpen && source.nextDueAt === Infinity)
    );
  }

  /** First attempts go before retries, but not for ever. */
  take(): Job | undefined {
    const retriesTurn = this.freshInARow >= FRESH_PER_RETRY || this.fresh.queue.size === 0;
    const job = retriesTurn
      ? (this.retries.queue.shift() ?? this.fresh.queue.shift())
      : this.fresh.queue.shift();
    this.freshInARow = retriesTurn ? 0 : this.freshInARow + 1;
    return job;
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
    if (hasSucceeded === undefined || this.isOrdered) return;
    this.limit = hasSucceeded
      ? Math.min(this.maxRunning, this.limit + 1)
      : Math.max(1, Math.floor(this.limit / 2));
  }

  /** Since when its oldest call runs; Infinity when none does. */
  get oldestStart(): number {
    for (const startedAt of this.startTimes.values()) return startedAt;
    return Infinity;
  }
}
