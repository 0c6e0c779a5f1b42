import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { type Schedule, Schedules } from './schedules/schedules.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 500;
const PAUSE_MS = 50;

/** A rule by which old rows are deleted. */
export interface RetentionRule {
  readonly rows: string;
  readonly retentionMs: () => number;
  /** Deletes at most `limit` rows older than `time`. Returns the number of deleted rows. */
  readonly deleteBefore: (time: number, limit: number) => Promise<number>;
}

/** Deletes expired rows every ten minutes, in one of the processes and in small batches. Modules register rules. */
@Injectable()
export class Purge implements OnApplicationBootstrap, OnApplicationShutdown {
  /** By the name of their rows. */
  private readonly tasks = new Map<string, Schedule>();

  constructor(
    private readonly clock: Clock,
    private readonly schedules: Schedules,
  ) {}

  /** Adds a rule. Call it before the application starts. */
  register(rule: RetentionRule): void {
    const task: Schedule = this.schedules.add({
      name: `purge of ${rule.rows}`,
      owner: Purge.name,
      failure: `Old ${rule.rows} cannot be deleted.`,
      work: () => this.deleteExpired(rule, task),
    });
    this.tasks.set(rule.rows, task);
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks.values()) task.start(INTERVAL_MS);
    void this.runDue();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.tasks.values()].map((task) => task.stop()));
  }

  async run(): Promise<void> {
    for (const task of this.tasks.values()) await task.run();
  }

  private async runDue(): Promise<void> {
    for (const task of this.tasks.values()) await task.runIfDue();
  }

  private async deleteExpired({ retentionMs, deleteBefore }: RetentionRule, task: Schedule): Promise<void> {
    if (retentionMs() === 0) return;
    const before = this.clock.now() - retentionMs();
    while (!task.isStopped && (await deleteBefore(before, BATCH)) === BATCH)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
