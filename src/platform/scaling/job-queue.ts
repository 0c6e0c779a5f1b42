import { Logger } from '@nestjs/common';
import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';
import type { Redis as Client } from 'ioredis';
import { PeriodicTask } from '../database/periodic-task.js';
import { bounded } from './bus.js';
import type { Redis } from './redis.js';

const ANSWER_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 500;
/** A connection that owes an answer for this long may be dead: it is replaced. */
const SILENT_AFTER_MS = 3_000;
const CHECK_EVERY_MS = 250;
/** The delay of a job received by a process that cannot run it. */
const REQUEUE_DELAY_MS = 10;
/** How long a worker blocks for a job. Shorter than the above: waiting must not look like silence. */
const MAX_WAIT_SECONDS = 2;
/** A stalled job returns to the queue, no matter how often. */
const WORKER_OPTIONS = {
  drainDelay: MAX_WAIT_SECONDS,
  maxStalledCount: Number.MAX_SAFE_INTEGER,
  skipVersionCheck: true,
} as const;

type BullMq = typeof import('bullmq');

/** How the jobs of a queue are handled. */
export interface JobHandling<Content> {
  readonly workerOptions: Partial<WorkerOptions>;
  /** Runs a job. Resolves to the milliseconds until it runs again; undefined if it is done. */
  readonly work: (job: Job<Content>) => Promise<number | undefined>;
  /** Whether this process can run jobs now. If not, it leaves them to others. */
  readonly canWork: () => boolean;
  /** A job is done, or has failed: its id may be reused. */
  readonly onDone?: (job: Job<Content>) => void;
  readonly onReady?: () => void;
}

/** A BullMQ queue and its worker, replaced when Redis falls silent. Nothing here throws because of Redis. */
export class JobQueue<Content> {
  private readonly logger = new Logger(JobQueue.name);
  private prefix = '';
  private client: Client | undefined;
  private openQueue: () => Queue<Content>;
  private queue: Queue<Content> | undefined;
  private worker: { readonly bull: Worker<Content>; readonly client: Client } | undefined;
  private readonly checks = new PeriodicTask(JobQueue.name, 'A worker cannot be paused.', () =>
    this.pauseOrResume(),
  );
  private hasFailed = false;
  private isClosed = false;

  constructor(
    private readonly redis: Redis,
    private readonly name: string,
    private readonly handling: JobHandling<Content>,
  ) {}

  /** Whether the queue is unavailable, as far as is known. */
  get isUnavailable(): boolean {
    return this.hasFailed || this.client?.status !== 'ready';
  }

  async open(): Promise<void> {
    const bullmq = await import('bullmq');
    const prefix = await this.redis.prefix();
    this.prefix = prefix;
    const options = { commandTimeout: ANSWER_TIMEOUT_MS, socketTimeout: SILENT_AFTER_MS };
    const client = await this.redis.open(options);
    this.client = client;
    this.openQueue = () => {
      const queue = new bullmq.Queue<Content>(this.name, {
        connection: client,
        prefix,
        skipVersionCheck: true,
      });
      return queue.on('error', () => undefined); // errors surface where the queue is used
    };
    client.on('ready', () => {
      this.hasFailed = false;
      this.handling.onReady?.();
    });
    await this.openWorker(bullmq);
    this.checks.start(CHECK_EVERY_MS);
  }

  /** Uses the queue. Undefined if that fails; not attempted while Redis is down. */
  async attempt<T>(work: (queue: Queue<Content>) => Promise<T>): Promise<T | undefined> {
    return this.isUnavailable ? undefined : this.probe(work);
  }

  /** Like `attempt`, but also runs after a failure, to detect whether Redis answers again. */
  async probe<T>(work: (queue: Queue<Content>) => Promise<T>): Promise<T | undefined> {
    const { client } = this;
    if (client?.status !== 'ready') return undefined;
    const queue = (this.queue ??= this.openQueue());
    try {
      // A read proves nothing after a failure: Redis may be full, or a replica. Bounded by `commandTimeout`.
      if (this.hasFailed) await client.set(`${this.prefix}:writable`, '', 'PX', 1);
      const result = await bounded(work(queue), this.isClosed ? CLOSE_TIMEOUT_MS : ANSWER_TIMEOUT_MS);
      this.hasFailed = false;
      return result;
    } catch (error) {
      this.hasFailed = true;
      this.report(error as Error);
      if (this.queue === queue) await this.closeQueue();
      return undefined;
    }
  }

  async pause(): Promise<void> {
    this.isClosed = true;
    await this.checks.stop();
    await closed(this.worker?.bull.pause(true));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.checks.stop();
    await Promise.all([closed(this.worker?.bull.close(true)), this.closeQueue()]);
    this.worker?.client.disconnect();
    this.client?.disconnect();
  }

  private async closeQueue(): Promise<void> {
    const { queue } = this;
    this.queue = undefined;
    await closed(queue?.close());
  }

  private async openWorker(bullmq: BullMq): Promise<void> {
    const { prefix, handling } = this;
    const client = await this.redis.open({
      maxRetriesPerRequest: null,
      enableOfflineQueue: true,
      socketTimeout: SILENT_AFTER_MS,
    });
    const { DelayedError } = bullmq;
    const bull = new (workerOf<Content>(bullmq))(
      this.name,
      async (job, token) => {
        const againInMs = handling.canWork() ? await handling.work(job) : REQUEUE_DELAY_MS;
        if (againInMs === undefined) return;
        await job.moveToDelayed(Date.now() + againInMs, token);
        throw new DelayedError();
      },
      { ...WORKER_OPTIONS, ...handling.workerOptions, connection: client, prefix },
    );
    bull.on('error', (error) => this.report(error));
    bull.on('completed', (job) => handling.onDone?.(job));
    bull.on('failed', (job) => job && handling.onDone?.(job));
    this.worker = { bull, client };
    await this.pauseOrResume();
  }

  private async pauseOrResume(): Promise<void> {
    const bull = this.worker?.bull;
    const isPaused = bull?.isPaused();
    if (this.isClosed || isPaused !== this.handling.canWork()) return;
    await (isPaused ? bull?.resume() : bull?.pause(true));
  }

  /** Debug only: the bus already logs that Redis is down. */
  private report({ message }: Error): void {
    this.logger.debug(`The queue ${this.name} has an error: ${message}`);
  }
}

/** Overrides the BullMQ default, which blocks up to ten seconds for delayed jobs. */
function workerOf<Content>(bullmq: BullMq): typeof Worker<Content> {
  return class extends bullmq.Worker<Content> {
    override get maximumBlockTimeout(): number {
      return MAX_WAIT_SECONDS;
    }
  };
}

async function closed(work: Promise<unknown> | undefined): Promise<void> {
  if (work) await bounded(work, CLOSE_TIMEOUT_MS).catch(() => undefined);
}
