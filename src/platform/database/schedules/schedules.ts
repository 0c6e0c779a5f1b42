/** Work that is to be done at intervals. */
export interface ScheduledWork {
  readonly name: string;
  /** `failure` is logged under the name `owner` when `work` throws. */
  readonly owner: string;
  readonly failure: string;
  readonly work: () => Promise<void> | void;
}

/** Scheduled work: one run at a time. Failures are logged as by PeriodicTask. */
export interface Schedule {
  readonly name: string;
  readonly isStopped: boolean;
  /** Has the work done every `intervalMs` from now on. */
  start(intervalMs: number): void;
  /** Does the work now, if no process has within the interval. Call it after `start`. Never throws. */
  runIfDue(): Promise<void>;
  /** Does the work now, or joins the current run. Never throws. */
  run(): Promise<void>;
  /** Starts no more runs. Resolves once the current one has ended. */
  stop(): Promise<void>;
}

/** Schedules that run once among all processes that serve the database. */
export abstract class Schedules {
  /** The name must be unique. */
  abstract add(work: ScheduledWork): Schedule;
}
