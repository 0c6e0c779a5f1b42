import type { Delivery, OpenStatus } from './delivery.entity.js';
import type { DispatchLimits } from './dispatch.settings.js';
import { type Job, type Lane, newJob } from './lane.js';

type Predicate = (delivery: Delivery) => boolean;

/** A running query for open rows, and what has changed since it started. */
interface Read {
  readonly released: Set<string>;
  readonly dropped: Predicate[];
}

/**
 * The deliveries that this process has in memory. It has their lanes, permanently or for a turn
 * (docs/architecture.md#turns), so a claim needs no write: if the process dies, its claims are gone and the
 * rows are due again.
 */
export class Claims {
  private readonly jobs = new Map<string, Job>();
  private readonly reads = new Set<Read>();
  private bytes = 0;

  constructor(private readonly limits: DispatchLimits) {}

  /** Number of jobs a flow may have in memory. Shrinks as memory fills up, to leave room for others. */
  get roomPerFlow(): number {
    const { maxJobs, maxJobBytes, jobsPerFlow } = this.limits;
    const share = Math.max(this.jobs.size / maxJobs, this.bytes / maxJobBytes);
    if (share >= 1) return jobsPerFlow.none;
    return share >= 0.5 ? jobsPerFlow.scarce : jobsPerFlow.plenty;
  }

  /**
   * Runs a query for open rows. `isFree` says which rows may be claimed: not those already claimed, nor those
   * released or dropped while the query ran, which may be settled by now.
   */
  async reading<T>(read: (isFree: Predicate) => Promise<T>): Promise<T> {
    const current: Read = { released: new Set(), dropped: [] };
    this.reads.add(current);
    try {
      return await read(
        (delivery) =>
          !this.jobs.has(delivery.id) &&
          !current.released.has(delivery.id) &&
          !current.dropped.some((matches) => matches(delivery)),
      );
    } finally {
      this.reads.delete(current);
    }
  }

  has(id: string): boolean {
    return this.jobs.has(id);
  }

  calling(): Job[] {
    return [...this.jobs.values()].filter(({ state }) => state === 'calling');
  }

  /** Claims a delivery and appends it to its lane's queue. */
  take(lane: Lane, status: OpenStatus, delivery: Delivery, committedAt?: number): void {
    const job = newJob(delivery, committedAt);
    this.jobs.set(delivery.id, job);
    this.bytes += job.sizeBytes;
    lane.claim(delivery, 1);
    lane.push(status, job);
  }

  release(lane: Lane, job: Job): void {
    this.jobs.delete(job.delivery.id);
    this.bytes -= job.sizeBytes;
    lane.claim(job.delivery, -1);
    for (const { released } of this.reads) released.add(job.delivery.id);
  }

  /** Drops deliveries whose rows were cancelled. Running calls continue. */
  drop(matches: Predicate): void {
    for (const job of this.jobs.values()) {
      if (job.state === 'dropped' || !matches(job.delivery)) continue;
      if (job.state === 'queued') job.state = 'dropped';
      else job.isCancelled = true;
    }
    for (const { dropped } of this.reads) dropped.push(matches);
  }
}
