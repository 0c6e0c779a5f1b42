import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { OwnerLock } from '../database/owner-lock.js';
import { PeriodicTask } from '../database/periodic-task.js';
import { Schedules } from '../database/schedules/schedules.js';
import { SharedSchedules } from '../database/schedules/shared-schedules.js';
import { JobQueue } from './job-queue.js';
import { Redis } from './redis.js';

const CHECK_EVERY_MS = 5_000;
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true } as const;

/** Triggers the schedules through BullMQ job schedulers; without Redis, timers of `SharedSchedules` continue. */
@Injectable()
export class ScheduleJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly checks = new PeriodicTask(ScheduleJobs.name, 'Schedules cannot be created.', () =>
    this.check(),
  );
  private jobs: JobQueue<unknown> | undefined;

  constructor(
    private readonly schedules: Schedules,
    private readonly redis: Redis,
    private readonly ownerLock: OwnerLock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { schedules } = this;
    if (!(schedules instanceof SharedSchedules)) return;
    this.jobs = new JobQueue(this.redis, 'schedules', {
      workerOptions: { concurrency: 4 },
      work: async ({ name }) => {
        await schedules.trigger(name);
        return undefined;
      },
      canWork: () => this.ownerLock.isHeld,
      onReady: () => void this.checks.run(),
    });
    await this.jobs.open();
    this.checks.start(CHECK_EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.checks.stop();
    await this.jobs?.close();
  }

  private async check(): Promise<void> {
    const { jobs, schedules } = this;
    if (schedules instanceof SharedSchedules)
      await jobs?.probe((queue) => makeMissing(queue, schedules.started()));
  }
}

/** Creates missing job schedulers, for example after Redis lost its data. */
async function makeMissing(queue: Queue, wanted: ReturnType<SharedSchedules['started']>): Promise<void> {
  const known = new Map((await queue.getJobSchedulers()).map(({ key, every }) => [key, Number(every)]));
  for (const { name, intervalMs } of wanted)
    if (known.get(name) !== intervalMs)
      await queue.upsertJobScheduler(name, { every: intervalMs }, { name, opts: JOB_OPTIONS });
}
