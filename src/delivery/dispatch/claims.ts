import type { Delivery, OpenStatus } from './delivery.entity.js';
import type { DispatchLimits } from './dispatch-limits.js';
import { newJob, type Job } from './job.js';
import type { Lane } from './lane.js';

type Predicate = (delivery: Delivery) => boolean;

/** A query for open rows that is running, and what happened meanwhile. */
interface Read {
  readonly released: Set<string>;
  readonly dropped: Predicate[];
}

/**
 * What this process works on or keeps ready. One process owns the data
 * (docs/architecture.md#one-process-owns-the-data), so a claim is a place in this table and costs no write: when the
 * process dies its claims die with it, and the rows are due again.
 */
export class Claims {
  private readonly jobs = new Map<string, Job>();
  private readonly reads = new Set<Read>();
  private bytes = 0;

  constructor(private readonly limits: DispatchLimits) {}

  /** How many jobs a lane may have waiting here. A lane that hangs must not take the room of the others. */
  get roomPerLane(): number {
    const { maxJobs, maxJobBytes, jobsPerLane } = this.limits;
    const share = Math.max(this.jobs.size / maxJobs, this.bytes / maxJobBytes);
    if (share >= 1) return jobsPerLane.none;
    return share >= 0.5 ? jobsPerLane.scarce : jobsPerLane.plenty;
  }

  /**
   * Runs a query for open rows. `isFree` tells which rows of its result may be taken: not those that are here already,
   * nor those that were released or dropped while it ran and may be settled by now.
   */
  async reading<T>(read: (isFree: Predicate) => Promise<T>): Promise<T> {
    const current: Read = { released: new Set(), dropped: [] };
    this.reads.add(current);
    try {
      return await read(
        (delivery) =>
          !this.jobs.has(delivery.id) &&
          !current.released.has(delivery.id) &&
          !current.dropped.some((isMeant) => isMeant(delivery)),
      );
    } finally {
      this.reads.delete(current);
    }
  }

  has(id: string): boolean {
    return this.jobs.has(id);
  }

  isCalling(id: string): boolean {
    return this.jobs.get(id)?.state === 'calling';
  }

  *calling(): Generator<Job> {
    for (const job of this.jobs.values()) if (job.state === 'calling') yield job;
  }

  /** Puts a delivery at the end of its lane's queue. */
  take(lane: Lane, status: OpenStatus, delivery: Delivery, committedAt?: number): void {
    const job = newJob(delivery, committedAt);
    this.jobs.set(delivery.id, job);
    this.bytes += job.sizeBytes;
    lane.source(status).queue.push(job);
    lane.claimed++;
  }

  release(lane: Lane, job: Job): void {
    this.jobs.delete(job.delivery.id);
    this.bytes -= job.sizeBytes;
    lane.claimed--;
    for (const { released } of this.reads) released.add(job.delivery.id);
  }

  /** Those rows were cancelled: they are not to be called any more, unless the call is already being made. */
  drop(isMeant: Predicate): void {
    for (const job of this.jobs.values())
      if (job.state === 'queued' && isMeant(job.delivery)) job.state = 'dropped';
    for (const { dropped } of this.reads) dropped.push(isMeant);
  }
}
