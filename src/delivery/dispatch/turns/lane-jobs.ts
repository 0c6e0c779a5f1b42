import { Logger } from '@nestjs/common';
import type { Job, JobsOptions, Queue, Worker } from 'bullmq';
import type { Redis as Client } from 'ioredis';
import { bounded } from '../../../platform/scaling/bounded.js';
import type { Redis } from '../../../platform/scaling/redis.js';
import { hashOf } from './dropped.js';

const QUEUE = 'lanes';
/** Wanted lanes are added at once, and then together at most so often. */
const ADD_EVERY_MS = 20;
const ANSWER_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** A lane that another process has is looked at again after this: its turn may end at any moment. */
const HELD_AGAIN_MS = 1_000;

/** A job without a worker goes back to the queue, however often. */
const WORKER_OPTIONS = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: Number.MAX_SAFE_INTEGER,
  runRetryDelay: 1_000,
  skipVersionCheck: true,
} as const;
/** A job that is over must leave its id to the next of its lane. */
const JOB_OPTIONS: JobsOptions = { removeOnComplete: true, removeOnFail: true };

type BullMq = typeof import('bullmq');

interface Content {
  readonly lane: string;
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

/**
 * Distributes lanes among the processes as jobs of BullMQ: "drain this lane". A job is active as long as the turn, so a
 * lane has one at a time. It holds nothing but the name of the lane, and nothing depends on it: `LaneWatch` finds what
 * nobody works on.
 */
export class LaneJobs {
  /** When a job was last begun, by performance.now(). */
  begunAt = -Infinity;
  private readonly logger = new Logger(LaneJobs.name);
  private serving: LaneServing | undefined;
  private bullmq: BullMq | undefined;
  private prefix = '';
  private client: Client | undefined;
  private queue: Queue<Content> | undefined;
  private worker: { readonly bull: Worker<Content>; readonly client: Client } | undefined;
  private wanted = new Set<string>();
  private adding: Promise<void> | undefined;
  private hasFailed = false;
  private isClosed = false;

  constructor(
    private readonly redis: Redis,
    private readonly maxLanes: number,
  ) {}

  /** Whether jobs cannot be added as far as is known. */
  get isAway(): boolean {
    return this.hasFailed || this.client?.status !== 'ready';
  }

  async start(serving: LaneServing): Promise<void> {
    this.serving = serving;
    this.bullmq = await import('bullmq');
    this.prefix = await this.redis.prefix();
    this.client = await this.redis.open({ commandTimeout: ANSWER_TIMEOUT_MS });
    this.client.on('ready', () => (this.hasFailed = false));
    await this.openWorker();
  }

  /** Asks for a lane to be worked on. Never throws, never waits; does nothing while Redis is away. */
  want(lane: string): void {
    this.wanted.add(lane);
    this.adding ??= this.addWanted();
  }

  /** Asks for a lane to be worked on at a later time. */
  async later(lane: string, dueAt: number, delay: number): Promise<void> {
    const jobId = `${hashOf(lane)}-${dueAt}`; // another id than that of the lane's job, which may be wanted before
    await this.attempt((queue) => queue.add('later', { lane }, { ...JOB_OPTIONS, jobId, delay }));
  }

  /** How many lanes wait for a process. */
  async waitingCount(): Promise<number> {
    let count = 0;
    await this.attempt(async (queue) => (count = await queue.getWaitingCount()));
    return count;
  }

  /** Removes a job that is in the way of its lane, unless a process works on it. */
  async remove(lane: string): Promise<void> {
    await this.attempt((queue) => queue.remove(hashOf(lane)).catch(() => undefined));
  }

  /** Replaces the worker, which may have lost its connection without a sign. Turns that run go on. */
  async replaceWorker(): Promise<void> {
    await this.closeWorker();
    if (!this.isClosed) await this.openWorker();
  }

  /** Takes no more jobs. */
  async pause(): Promise<void> {
    this.isClosed = true;
    await closed(this.worker?.bull.pause(true));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.adding;
    await this.closeWorker();
    await this.closeQueue();
    this.client?.disconnect();
  }

  private async addWanted(): Promise<void> {
    while (this.wanted.size > 0) {
      const lanes = [...this.wanted];
      this.wanted = new Set();
      this.serving?.onWanted(lanes);
      await this.attempt((queue) =>
        queue.addBulk(
          lanes.map((lane) => ({
            name: 'drain',
            data: { lane },
            opts: { ...JOB_OPTIONS, jobId: hashOf(lane) },
          })),
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, ADD_EVERY_MS));
    }
    this.adding = undefined;
  }

  /** Does something with the queue, or nothing while Redis is away. */
  private async attempt(work: (queue: Queue<Content>) => Promise<unknown>): Promise<void> {
    const { client, bullmq } = this;
    if (client?.status !== 'ready' || !bullmq) return;
    const queue = (this.queue ??= this.openQueue(bullmq, client));
    try {
      await bounded(work(queue), ANSWER_TIMEOUT_MS);
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      this.logger.debug(`A job cannot be added: ${(error as Error).message}`);
      if (this.queue === queue) await this.closeQueue();
    }
  }

  private openQueue(bullmq: BullMq, client: Client): Queue<Content> {
    const queue = new bullmq.Queue<Content>(QUEUE, {
      connection: client,
      prefix: this.prefix,
      skipVersionCheck: true,
    });
    queue.on('error', () => undefined); // seen where it is used
    return queue;
  }

  private async closeQueue(): Promise<void> {
    const { queue } = this;
    this.queue = undefined;
    await closed(queue?.close());
  }

  private async openWorker(): Promise<void> {
    const { bullmq } = this;
    if (!bullmq) return;
    const client = await this.redis.open({ maxRetriesPerRequest: null, enableOfflineQueue: true });
    const { DelayedError } = bullmq;
    const bull = new bullmq.Worker<Content>(
      QUEUE,
      async (job, token) => {
        if (await this.process(job)) return;
        await job.moveToDelayed(Date.now() + HELD_AGAIN_MS, token);
        throw new DelayedError();
      },
      { ...WORKER_OPTIONS, connection: client, prefix: this.prefix, concurrency: this.maxLanes },
    );
    bull.on('error', (error) => this.logger.debug(`The worker of lanes has an error: ${error.message}`));
    bull.on('completed', (job) => this.isDone(job));
    bull.on('failed', (job) => job && this.isDone(job));
    this.worker = { bull, client };
  }

  private async closeWorker(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    if (!worker) return;
    await closed(worker.bull.close(true));
    worker.client.disconnect();
  }

  /** Returns whether the job is over. */
  private async process({ name, data: { lane } }: Job<Content>): Promise<boolean> {
    this.begunAt = performance.now();
    if (typeof lane !== 'string') return true;
    if (name !== 'later') return (await this.serving?.serve(lane)) ?? false;
    this.want(lane);
    return true;
  }

  private isDone({ name, data: { lane } }: Job<Content>): void {
    if (name !== 'later') this.serving?.onDone(lane);
  }
}

/** Closes something for good, however its connection is. */
async function closed(work: Promise<unknown> | undefined): Promise<void> {
  if (work) await bounded(work, CLOSE_TIMEOUT_MS).catch(() => undefined);
}
