import { PeriodicTask } from '../periodic-task.js';

/** Work to run at intervals. */
export interface ScheduledWork {
  readonly name: string;
  /** `failure` is logged under the name `owner` when `work` throws. */
  readonly owner: string;
  readonly failure: string;
  readonly work: () => Promise<void> | void;
}

/** Scheduled work, one run at a time. Failures are logged as in PeriodicTask. */
export interface Schedule {
  readonly name: string;
  readonly isStopped: boolean;
  /** Runs the work every `intervalMs` from now on. */
  start(intervalMs: number): void;
  /** Runs the work now, unless a process has within the interval. Call it after `start`. Never throws. */
  runIfDue(): Promise<void>;
  /** Runs the work now, or joins the current run. Never throws. */
  run(): Promise<void>;
  /** Starts no more runs. Resolves once the current one has ended. */
  stop(): Promise<void>;
}

/** Schedules that run once across all processes that share the database. */
export abstract class Schedules {
  /** The name must be unique. */
  abstract add(work: ScheduledWork): Schedule;
}

/** The schedules of a process with exclusive access to its database. */
export class OwnSchedules extends Schedules {
  add({ name, owner, failure, work }: ScheduledWork): Schedule {
    const task = new PeriodicTask(owner, failure, work);
    return {
      name,
      get isStopped() {
        return task.isStopped;
      },
      start: (intervalMs) => task.start(intervalMs),
      runIfDue: () => task.run(),
      run: () => task.run(),
      stop: () => task.stop(),
    };
  }
}
