import type { Job, JobsOptions } from 'bullmq';
import { JobQueue } from '../../../platform/scaling/job-queue.js';
import type { Redis } from '../../../platform/scaling/redis.js';
import type { HiddenNames } from './lane-messages.js';
import type { Clock } from '../../../platform/common/clock.js';
import { PeriodicTask } from '../../../platform/database/periodic-task.js';
import type { LanesReadModel } from '../lanes.read-model.js';

/** The first requested lane is added at once; later ones are batched at this interval. */
const ADD_EVERY_MS = 20;
/** Delay before retrying a lane that another process has: its turn may end at any moment. */
const HELD_AGAIN_MS = 1_000;

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
  /** The job of a lane has been removed, so it can be added again. */
  readonly onDone: (lane: string) => void;
  /** Called with lanes that have been requested. */
  readonly onRequested: (lanes: readonly string[]) => void;
}

/** A lane to be worked on later. */
interface LaterLane {
  readonly lane: string;
  readonly dueAt: number;
  readonly delay: number;
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

  /** While `canWork` returns false, jobs are left to other processes. */
  constructor(
    redis: Redis,
    private readonly names: HiddenNames,
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

  /** Requests work on lanes at later times. */
  async later(lanes: readonly LaterLane[]): Promise<void> {
    if (lanes.length === 0) return;
    const jobs = lanes.map(({ lane, dueAt, delay }) => {
      const jobId = `${this.names.hashOf(lane)}-${dueAt}`; // leaves the id of the lane's job free for `want`
      return { name: 'later', data: this.contentOf(lane), opts: { ...JOB_OPTIONS, jobId, delay } };
    });
    await this.queue.attempt((queue) => queue.addBulk(jobs));
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
    if (name !== 'later' && lane !== undefined) this.serving?.onDone(lane);
  }
}

const LANES_PER_STATEMENT = 100;

/**
 * Schedules a lane's next turn after one has ended. It checks the table when the lane is released and again
 * when its job is gone: this finds deliveries committed before, and later ones have their own job.
 */
export class LaneRest {
  private readonly checks = new PeriodicTask(LaneRest.name, 'Leftover lanes cannot be read.', () =>
    this.check(),
  );
  private lanes = new Set<string>();

  constructor(
    private readonly table: Pick<LanesReadModel, 'firstDue'>,
    private readonly jobs: Pick<LaneJobs, 'later'>,
    private readonly clock: Clock,
    private readonly want: (lane: string) => void,
  ) {}

  add(lanes: readonly string[]): void {
    for (const lane of lanes) this.lanes.add(lane);
    void this.run();
  }

  /** Resolves once all added lanes have been scheduled, or scheduling has failed. */
  async run(): Promise<void> {
    do await this.checks.run();
    while (this.lanes.size > 0);
  }

  private async check(): Promise<void> {
    const lanes = [...this.lanes];
    this.lanes = new Set();
    for (let start = 0; start < lanes.length; start += LANES_PER_STATEMENT) {
      const heads = await this.table.firstDue(lanes.slice(start, start + LANES_PER_STATEMENT));
      const now = this.clock.now();
      const later: LaterLane[] = [];
      for (const { lane, nextAttemptAt: dueAt } of heads)
        if (dueAt <= now) this.want(lane);
        else later.push({ lane, dueAt, delay: dueAt - now });
      await this.jobs.later(later);
    }
  }
}
