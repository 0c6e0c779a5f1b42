import type { Job, JobsOptions } from 'bullmq';
import { JobQueue } from '../../../platform/scaling/job-queue.js';
import type { Redis } from '../../../platform/scaling/redis.js';
import type { HiddenNames } from './hidden-names.js';

/** Wanted lanes are added at once, and then together at most so often. */
const ADD_EVERY_MS = 20;
/** A lane that another process has is looked at again after this: its turn may end at any moment. */
const HELD_AGAIN_MS = 1_000;

const WORKER_OPTIONS = { lockDuration: 10_000, stalledInterval: 5_000, runRetryDelay: 1_000 } as const;
/** A job that is over must leave its id to the next of its lane. */
const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true };

interface Content {
  /** The name of the lane. */
  readonly sealed: string;
}

/** What is done with jobs. */
export interface LaneServing {
  /** Works on a lane until its turn is over. False if it cannot be had now. Must not throw. */
  readonly serve: (lane: string) => Promise<boolean>;
  /** The job of a lane is gone, so that it can be added again. */
  readonly onDone: (lane: string) => void;
  /** These lanes are wanted. */
  readonly onWanted: (lanes: readonly string[]) => void;
}

/** A lane that is to be worked on at a later time. */
export interface LaterLane {
  readonly lane: string;
  readonly dueAt: number;
  readonly delay: number;
}

/**
 * Distributes lanes among the processes as jobs of BullMQ: "drain this lane". A job is active as long as the turn, so a
 * lane has one at a time. It holds nothing but the sealed name of the lane, and nothing depends on it: `LaneWatch` finds what
 * nobody works on.
 */
export class LaneJobs {
  /** When a job was last begun, by performance.now(). */
  begunAt = -Infinity;
  private readonly queue: JobQueue<Content>;
  private serving: LaneServing | undefined;
  private wanted = new Set<string>();
  private adding: Promise<void> | undefined;

  /** `canWork`: while it says no, jobs are left to other processes. */
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

  /** Whether jobs cannot be added as far as is known. */
  get isAway(): boolean {
    return this.queue.isAway;
  }

  async start(serving: LaneServing): Promise<void> {
    this.serving = serving;
    await this.queue.open();
  }

  /** Asks for a lane to be worked on. Never throws, never waits; does nothing while Redis is away. */
  want(lane: string): void {
    this.wanted.add(lane);
    this.adding ??= this.addWanted();
  }

  /** Asks for lanes to be worked on at later times. */
  async later(lanes: readonly LaterLane[]): Promise<void> {
    if (lanes.length === 0) return;
    const jobs = lanes.map(({ lane, dueAt, delay }) => {
      const jobId = `${this.names.hashOf(lane)}-${dueAt}`; // another id than that of the lane's job, which may be wanted before
      return { name: 'later', data: this.contentOf(lane), opts: { ...JOB_OPTIONS, jobId, delay } };
    });
    await this.queue.attempt((queue) => queue.addBulk(jobs));
  }

  /** How many lanes wait for a process. Tells whether Redis is back. */
  async waitingCount(): Promise<number> {
    return (await this.queue.probe((queue) => queue.getWaitingCount())) ?? 0;
  }

  /** Removes jobs that are in the way of their lanes, but those that a process works on. */
  async remove(lanes: readonly string[]): Promise<void> {
    await this.queue.attempt((queue) =>
      Promise.all(lanes.map((lane) => queue.remove(this.names.hashOf(lane)).catch(() => undefined))),
    );
  }

  /** Replaces the worker, which may have lost its connection without a sign. Turns that run go on. */
  replaceWorker(): Promise<void> {
    return this.queue.replaceWorker();
  }

  /** Takes no more jobs. */
  pause(): Promise<void> {
    return this.queue.pause();
  }

  async close(): Promise<void> {
    await this.adding;
    await this.queue.close();
  }

  private async addWanted(): Promise<void> {
    while (this.wanted.size > 0) {
      const lanes = [...this.wanted];
      this.wanted = new Set();
      this.serving?.onWanted(lanes);
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

  /** Returns whether the job is over. */
  private async process({ name, data }: Job<Content>): Promise<boolean> {
    this.begunAt = performance.now();
    const lane = this.names.open(data.sealed);
    if (lane === undefined) return true; // of another version, or under an earlier key: the watch finds what is due
    if (name !== 'later') return (await this.serving?.serve(lane)) ?? false;
    this.want(lane);
    return true;
  }

  private isDone({ name, data }: Job<Content>): void {
    const lane = this.names.open(data.sealed);
    if (name !== 'later' && lane !== undefined) this.serving?.onDone(lane);
  }
}
