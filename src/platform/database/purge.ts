import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { PeriodicTask } from './periodic-task.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 500;
const PAUSE_MS = 50;

/** Rows that are not kept for ever. */
export interface Expiry {
  /** The rows, as the log names them. */
  readonly rows: string;
  /** How long they are kept, in milliseconds; 0 is for ever. */
  readonly keptMs: () => number;
  /** Deletes `limit` rows at most of before `time`, and gives their number. */
  readonly deleteBefore: (time: number, limit: number) => Promise<number>;
}

/**
 * Deletes what is too old at the start and every ten minutes, in small batches with pauses between them, so that nobody
 * waits for it. Modules register their rows.
 */
@Injectable()
export class Purge implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly tasks: PeriodicTask[] = [];

  constructor(private readonly clock: Clock) {}

  /** Before the application has started. */
  register(expiry: Expiry): void {
    const task: PeriodicTask = new PeriodicTask(Purge.name, `Old ${expiry.rows} cannot be deleted.`, () =>
      this.deleteOld(expiry, task),
    );
    this.tasks.push(task);
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start(INTERVAL_MS);
    void this.run();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /** Deletes all there is, one kind of rows after the other. Never throws. */
  async run(): Promise<void> {
    for (const task of this.tasks) await task.run();
  }

  private async deleteOld({ keptMs, deleteBefore }: Expiry, task: PeriodicTask): Promise<void> {
    if (keptMs() === 0) return;
    const before = this.clock.now() - keptMs();
    while (!task.isStopped && (await deleteBefore(before, BATCH)) === BATCH)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
