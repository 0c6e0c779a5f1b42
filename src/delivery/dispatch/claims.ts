import { newJob, type Job } from './job.js';
import type { Delivery } from './delivery.entity.js';

const MAX_JOBS = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** How many jobs one lane may have waiting in memory: the fuller it is, the fewer. */
const ROOM = { plenty: 1_000, scarce: 50, none: 2 };

/**
 * What this process works on or keeps ready. One process owns the data
 * (docs/architecture.md#one-process-owns-the-data), so a claim is a place in this table and costs no write: when the
 * process dies its claims die with it, and the rows are due again.
 */
export class Claims {
  private readonly jobs = new Map<string, Job>();
  /** For each query that runs: what was let go meanwhile. */
  private readonly reads = new Set<Set<string>>();
  private bytes = 0;

  /** How many jobs a lane may have waiting here. A lane that hangs must not take the room of the others. */
  get roomPerLane(): number {
    const share = Math.max(this.jobs.size / MAX_JOBS, this.bytes / MAX_BYTES);
    if (share >= 1) return ROOM.none;
    return share >= 0.5 ? ROOM.scarce : ROOM.plenty;
  }

  /**
   * Runs a query for open rows. What is let go while it runs may be in its result though it is settled: the `released`
   * are not to be taken from it.
   */
  async reading<T>(read: (released: ReadonlySet<string>) => Promise<T>): Promise<T> {
    const released = new Set<string>();
    this.reads.add(released);
    try {
      return await read(released);
    } finally {
      this.reads.delete(released);
    }
  }

  has(id: string): boolean {
    return this.jobs.has(id);
  }

  isRunning(id: string): boolean {
    return this.jobs.get(id)?.isRunning ?? false;
  }

  *running(): Generator<Job> {
    for (const job of this.jobs.values()) if (job.isRunning) yield job;
  }

  take(delivery: Delivery, committedAt?: number): Job {
    const job = newJob(delivery, committedAt);
    this.jobs.set(delivery.id, job);
    this.bytes += job.sizeBytes;
    return job;
  }

  release(job: Job): void {
    if (this.jobs.delete(job.delivery.id)) this.bytes -= job.sizeBytes;
    for (const released of this.reads) released.add(job.delivery.id);
  }

  /** Their owner has stopped them: they are not to be called any more, unless the call is already being made. */
  drop(isMeant: (delivery: Delivery) => boolean): void {
    for (const job of this.jobs.values()) if (isMeant(job.delivery)) job.isDropped = true;
  }
}
