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
  readonly isStopped: boolean;
  /** Runs the work every `intervalMs` from now on. */
  start(intervalMs: number): void;
  /** Runs the work now, unless a process has within the interval. Call it after `start`. Never throws. */
  runIfDue(): Promise<void>;
  /** Runs the work now, or joins the current run. Never throws. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

/** Schedules that run once across all processes. This class is for a process with exclusive access. */
export class Schedules {
  /** The name must be unique. */
  add({ owner, failure, work }: ScheduledWork): Schedule {
    return new OwnSchedule(owner, failure, work);
  }
}

class OwnSchedule extends PeriodicTask implements Schedule {
  runIfDue(): Promise<void> {
    return this.run();
  }
}
