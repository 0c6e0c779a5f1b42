import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue, Worker } from 'bullmq';
import { PeriodicTask } from '../database/periodic-task.js';
import { Schedules } from '../database/schedules/schedules.js';
import { SharedSchedules } from '../database/schedules/shared-schedules.js';
import { bounded } from './bounded.js';
import { Redis } from './redis.js';

const QUEUE = 'schedules';
const CHECK_EVERY_MS = 5_000;
const ANSWER_TIMEOUT_MS = 2_000;
const CLOSE_TIMEOUT_MS = 1_000;
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true } as const;

/**
 * Triggers the schedules of all processes by the job schedulers of BullMQ. A job does nothing but trigger: who claims the
 * run does it, and without Redis the timers of `SharedSchedules` go on.
 */
@Injectable()
export class ScheduleJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ScheduleJobs.name);
  /** What Redis does not take is made at the next check. The bus says that Redis is away. */
  private readonly onError = ({ message }: Error): void =>
    this.logger.debug(`The schedules have an error: ${message}`);
  private readonly checks = new PeriodicTask(ScheduleJobs.name, 'Schedules cannot be made.', () =>
    this.check().catch(this.onError),
  );
  private queue: Queue | undefined;
  private worker: Worker | undefined;
  private isReady: () => boolean = () => false;

  constructor(
    private readonly schedules: Schedules,
    private readonly redis: Redis,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { schedules } = this;
    if (!(schedules instanceof SharedSchedules)) return;
    const bullmq = await import('bullmq');
    const prefix = await this.redis.prefix();
    const client = await this.redis.open({ commandTimeout: ANSWER_TIMEOUT_MS });
    this.isReady = () => client.status === 'ready';
    this.queue = new bullmq.Queue(QUEUE, { connection: client, prefix, skipVersionCheck: true });
    const connection = await this.redis.open({ maxRetriesPerRequest: null, enableOfflineQueue: true });
    this.worker = new bullmq.Worker(QUEUE, ({ name }) => schedules.trigger(name), {
      connection,
      prefix,
      concurrency: 4,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      skipVersionCheck: true,
    });
    this.queue.on('error', this.onError);
    this.worker.on('error', this.onError);
    client.on('ready', () => void this.checks.run());
    this.checks.start(CHECK_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.checks.stop();
    for (const closing of [this.worker?.close(true), this.queue?.close()])
      if (closing) await bounded(closing, CLOSE_TIMEOUT_MS).catch(() => undefined);
  }

  /** Makes the job schedulers that are missing, be it because Redis has forgotten them. */
  private async check(): Promise<void> {
    const { queue, schedules } = this;
    if (!queue || !(schedules instanceof SharedSchedules) || !this.isReady()) return;
    const wanted = schedules.started();
    const known = new Map((await queue.getJobSchedulers()).map(({ key, every }) => [key, Number(every)]));
    for (const { name, intervalMs } of wanted)
      if (known.get(name) !== intervalMs)
        await queue.upsertJobScheduler(name, { every: intervalMs }, { name, opts: JOB_OPTIONS });
  }
}
