import { Logger } from '@nestjs/common';
import { stackOf } from '../common/errors/stack-of.js';
import { isDatabaseUnavailable } from './database-errors.js';

/**
 * Periodic work, one run at a time. Not @nestjs/schedule, whose intervals overlap a slow run, cannot be awaited at
 * shutdown, and log every failure. A failure is logged once until a run succeeds again. Database outages are not
 * logged here: the requests that hit them report them.
 */
export class PeriodicTask {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;
  private hasFailed = false;
  private hasStopped = false;

  /** `failure` is logged under the name `owner` when `work` throws. */
  constructor(
    owner: string,
    private readonly failure: string,
    private readonly work: () => Promise<void> | void,
  ) {
    this.logger = new Logger(owner);
  }

  get isStopped(): boolean {
    return this.hasStopped;
  }

  /** Resolves when the current run ends. Undefined if there is none. */
  get running(): Promise<void> | undefined {
    return this.current;
  }

  /** Runs the work every `intervalMs` from now on, first after one interval. The timer does not keep the process alive. */
  start(intervalMs: number): void {
    clearInterval(this.timer);
    this.timer = setInterval(() => void this.run(), intervalMs).unref();
  }

  /** Stops the timer until the task is started again. */
  rest(): void {
    clearInterval(this.timer);
  }

  /** Runs the work now, or joins the current run. Never throws; does nothing after `stop`. */
  run(): Promise<void> {
    if (!this.current && !this.hasStopped) this.begin();
    return this.current ?? Promise.resolve();
  }

  async stop(): Promise<void> {
    this.hasStopped = true;
    clearInterval(this.timer);
    await this.current;
  }

  private begin(): void {
    try {
      const run = this.work();
      if (run) this.current = this.settle(run);
      else this.hasFailed = false;
    } catch (error) {
      this.report(error);
    }
  }

  private async settle(run: Promise<void>): Promise<void> {
    try {
      await run;
      this.hasFailed = false;
    } catch (error) {
      this.report(error);
    } finally {
      this.current = undefined;
    }
  }

  private report(error: unknown): void {
    if (this.hasStopped || this.hasFailed || isDatabaseUnavailable(error)) return;
    this.hasFailed = true;
    this.logger.error(this.failure, stackOf(error));
  }
}
