import type { Job, JobsOptions } from 'bullmq';
import { JobQueue } from '../../../platform/scaling/job-queue.js';
import type { Redis } from '../../../platform/scaling/redis.js';
import type { HiddenNames } from './lane-messages.js';
import type { Clock } from '../../../platform/common/clock.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import type { LaneHead, LanesReadModel } from '../lanes.read-model.js';

/** The first requested lane is added at once; later ones are batched at this interval. */
const ADD_EVERY_MS = 20;
/** Delay before retrying a lane that another process has: its turn may end at any moment. */
const HELD_AGAIN_MS = 1_000;
const LANES_PER_STATEMENT = 100;

const WORKER_OPTIONS = { lockDuration: 10_000, stalledInterval: 5_000, runRetryDelay: 1_000 } as const;
/** A finished job must free its id for the lane's next job. */
const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true };

interface Content {
  /** The encrypted name of the lane. */
  readonly sealed: string;
}

/** Callbacks for jobs. */
interface LaneServing {
  /** Works on a lane until its turn is over. Returns false if the lane is not available. Must not throw. */
  readonly serve: (lane: string) => Promise<boolean>;
  /** Called with lanes that have been requested. */
  readonly onRequested: (lanes: readonly string[]) => void;
}

/**
 * Distributes lanes among processes as BullMQ jobs. A job stays active for the duration of the turn, so each
 * lane has at most one. It contains only the encrypted name of the lane, and nothing depends on it:
 * `LaneWatch` finds lanes that no process works on.
 */
export class LaneJobs {
  private readonly queue: JobQueue<Content>;
  private serving: LaneServing | undefined;
  private wanted = new Set<string>();
  private adding: Promise<void> | undefined;
  /** Lanes to check for remaining deliveries. */
  private ended = new Set<string>();
  private readonly checks = new PeriodicTask(LaneJobs.name, 'Leftover lanes cannot be read.', () =>
    this.checkEnded(),
  );

  /** While `canWork` returns false, jobs are left to other processes. */
  constructor(
    redis: Redis,
    private readonly names: HiddenNames,
    private readonly table: Pick<LanesReadModel, 'firstDue'>,
    private readonly clock: Clock,
    maxLanes: number,
    readonly canWork: () => boolean,
  ) {
    this.queue = new JobQueue(redis, 'lanes', {
      workerOptions: { ...WORKER_OPTIONS, concurrency: maxLanes },
      work: async (job) => ((await this.process(job)) ? undefined : HELD_AGAIN_MS),
      canWork,
      onDone: (job) => this.isDone(job),
    });
  }

  /** Whether Redis is known to be unavailable for adding jobs. */
  get isUnavailable(): boolean {
    return this.queue.isUnavailable;
  }

  async start(serving: LaneServing): Promise<void> {
    this.serving = serving;
    await this.queue.open();
  }

  /** Requests work on a lane. Never throws or waits; does nothing while Redis is unavailable. */
  want(lane: string): void {
    this.wanted.add(lane);
    this.adding ??= this.addRequested();
  }

  /**
   * Schedules the next turn of lanes whose turn has ended. The table is checked when a lane is released and again
   * when its job is gone: this finds deliveries committed before, and later ones have their own job. Resolves once
   * all added lanes have been scheduled, or scheduling has failed.
   */
  async rest(lanes: readonly string[]): Promise<void> {
    for (const lane of lanes) this.ended.add(lane);
    do await this.checks.run();
    while (this.ended.size > 0);
  }

  /** The number of lanes waiting for a process. Also detects whether Redis is back. */
  async waitingCount(): Promise<number> {
    return (await this.queue.probe((queue) => queue.getWaitingCount())) ?? 0;
  }

  /** Removes jobs that block their lanes, except those that a process is working on. */
  async remove(lanes: readonly string[]): Promise<void> {
    await this.queue.attempt((queue) =>
      Promise.all(lanes.map((lane) => queue.remove(this.names.hashOf(lane)).catch(() => undefined))),
    );
  }

  /** Stops taking jobs. */
  pause(): Promise<void> {
    return this.queue.pause();
  }

  async close(): Promise<void> {
    await this.rest([]);
    await this.adding;
    await this.queue.close();
  }

  private async addRequested(): Promise<void> {
    while (this.wanted.size > 0) {
      const lanes = [...this.wanted];
      this.wanted = new Set();
      this.serving?.onRequested(lanes);
      const jobs = lanes.map((lane) => ({
        name: 'drain',
        data: this.contentOf(lane),
        opts: { ...JOB_OPTIONS, jobId: this.names.hashOf(lane) },
      }));
      await this.queue.attempt((queue) => queue.addBulk(jobs));
      await new Promise((resolve) => setTimeout(resolve, ADD_EVERY_MS));
    }
    this.adding = undefined;
  }

  private async checkEnded(): Promise<void> {
    const lanes = [...this.ended];
    this.ended = new Set();
    for (let start = 0; start < lanes.length; start += LANES_PER_STATEMENT) {
      const heads = await this.table.firstDue(lanes.slice(start, start + LANES_PER_STATEMENT));
      const now = this.clock.now();
      for (const { lane, nextAttemptAt } of heads) if (nextAttemptAt <= now) this.want(lane);
      const later = heads.filter(({ nextAttemptAt }) => nextAttemptAt > now);
      if (later.length > 0) await this.addLater(later, now);
    }
  }

  private async addLater(heads: readonly LaneHead[], now: number): Promise<void> {
    const jobs = heads.map(({ lane, nextAttemptAt }) => {
      const jobId = `${this.names.hashOf(lane)}-${nextAttemptAt}`; // leaves the id of the lane's job free for `want`
      const opts = { ...JOB_OPTIONS, jobId, delay: nextAttemptAt - now };
      return { name: 'later', data: this.contentOf(lane), opts };
    });
    await this.queue.attempt((queue) => queue.addBulk(jobs));
  }

  private contentOf(lane: string): Content {
    return { sealed: this.names.seal(lane) };
  }

  /** Returns whether the job is finished. */
  private async process({ name, data }: Job<Content>): Promise<boolean> {
    const lane = this.names.open(data.sealed);
    if (lane === undefined) return true; // other version or old key: LaneWatch finds what is due
    if (name !== 'later') return (await this.serving?.serve(lane)) ?? false;
    this.want(lane);
    return true;
  }

  private isDone({ name, data }: Job<Content>): void {
    const lane = this.names.open(data.sealed);
    if (name !== 'later' && lane !== undefined) void this.rest([lane]);
  }
}
