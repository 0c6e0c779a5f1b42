import type { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { PeriodicTask } from '../periodic-task.js';
import { type Schedule, type ScheduledWork, Schedules } from './schedules.js';
import type { SchedulesRepository } from './schedules.repository.js';

/** The fraction of an interval by which a trigger may come early. */
const EARLY = 0.1;

/**
 * Schedules shared by several processes. A triggered process claims the run by compare-and-set, so only one
 * runs it. Triggers come from outside; timers in each process make up for missed ones, one interval later.
 */
export class SharedSchedules extends Schedules {
  private readonly schedules = new Map<string, SharedSchedule>();
  private readonly processId = newId();

  constructor(
    private readonly repository: Pick<SchedulesRepository, 'get' | 'claim'>,
    private readonly clock: Clock,
  ) {
    super();
  }

  override add(work: ScheduledWork): Schedule {
    const schedule = new SharedSchedule(work, this.processId, this.repository, this.clock);
    this.schedules.set(work.name, schedule);
    return schedule;
  }

  started(): { readonly name: string; readonly intervalMs: number }[] {
    return [...this.schedules.values()].filter(({ intervalMs }) => intervalMs > 0);
  }

  async trigger(name: string): Promise<void> {
    await this.schedules.get(name)?.runIfDue();
  }
}

class SharedSchedule implements Schedule {
  readonly name: string;
  intervalMs = 0;
  private readonly task: PeriodicTask;
  private readonly net: PeriodicTask;
  private readonly claims: PeriodicTask;

  constructor(
    { name, owner, failure, work }: ScheduledWork,
    private readonly processId: string,
    private readonly repository: Pick<SchedulesRepository, 'get' | 'claim'>,
    private readonly clock: Clock,
  ) {
    this.name = name;
    this.task = new PeriodicTask(owner, failure, work);
    this.net = new PeriodicTask(owner, failure, () => this.claimAndRun(this.intervalMs));
    this.claims = new PeriodicTask(owner, failure, () => this.claimAndRun(-EARLY * this.intervalMs));
  }

  get isStopped(): boolean {
    return this.task.isStopped;
  }

  start(intervalMs: number): void {
    this.intervalMs = intervalMs;
    this.net.start(intervalMs);
  }

  runIfDue(): Promise<void> {
    return this.intervalMs > 0 ? this.claims.run() : Promise.resolve();
  }

  run(): Promise<void> {
    return this.task.run();
  }

  async stop(): Promise<void> {
    await Promise.all([this.net.stop(), this.claims.stop(), this.task.stop()]);
  }

  /** Runs the work if it has been due for `graceMs` and no other process has claimed it. */
  private async claimAndRun(graceMs: number): Promise<void> {
    const { name, processId, intervalMs } = this;
    const stored = await this.repository.get(name);
    const now = this.clock.now();
    const isDue = stored.nextAt + graceMs <= now || stored.nextAt > now + intervalMs; // the interval was longer before
    if (!isDue) return;
    const next = { nextAt: now + intervalMs, runner: processId };
    if (!(await this.repository.claim(name, stored, next))) return;
    await this.task.run();
  }
}
