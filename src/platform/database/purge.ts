import { Logger } from '@nestjs/common';
import { stackOf } from '../common/errors/stack-of.js';
import { isDatabaseUnavailable } from './database-errors.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 500;
const PAUSE_MS = 50;

/** Deletes what is too old every ten minutes, in small batches with pauses between them, so that nobody waits for it. */
export class Purge {
  private readonly logger = new Logger(Purge.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;

  /** `deletions` delete so many rows at most and give their number; `what` names the rows in the log. */
  constructor(
    private readonly what: string,
    private readonly deletions: readonly ((limit: number) => Promise<number>)[],
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.run(), INTERVAL_MS).unref();
    void this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Deletes all there is. Never throws. */
  run(): Promise<void> {
    return (this.running ??= this.deleteAll().finally(() => (this.running = undefined)));
  }

  private async deleteAll(): Promise<void> {
    try {
      for (const deleteSome of this.deletions)
        while (!this.isStopping && (await deleteSome(BATCH)) === BATCH)
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } catch (error) {
      if (isDatabaseUnavailable(error) || this.isStopping) return; // the next time does it
      this.logger.error(`Old ${this.what} cannot be deleted.`, stackOf(error));
    }
  }
}
