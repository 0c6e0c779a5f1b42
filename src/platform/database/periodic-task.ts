import { Logger } from '@nestjs/common';
import { stackOf } from '../common/errors/stack-of.js';
import { isDatabaseUnavailable } from './database-errors.js';

/**
 * Work that is done again and again, one run at a time. A run that fails is logged once, until one succeeds; while the
 * database is away nothing is logged, since the calls that need it say so.
 */
export class PeriodicTask {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private hasFailed = false;
  private hasStopped = false;

  /** `failure` is the sentence that the log of `owner` gets when `work` throws. */
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

  /** The first run is after one interval. The timer keeps no process alive. */
  start(intervalMs: number): void {
    this.timer = setInterval(() => void this.run(), intervalMs).unref();
  }

  /** Runs it now, or waits for the run that is under way. Never throws; does nothing once it is stopped. */
  run(): Promise<void> {
    if (!this.running && !this.hasStopped) this.begin();
    return this.running ?? Promise.resolve();
  }

  /** No more runs; resolves once the one under way is over. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  private begin(): void {
    try {
      const run = this.work();
      if (run) this.running = this.settle(run);
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
      this.running = undefined;
    }
  }

  private report(error: unknown): void {
    if (this.hasStopped || this.hasFailed || isDatabaseUnavailable(error)) return;
    this.hasFailed = true;
    this.logger.error(this.failure, stackOf(error));
  }
}
