import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { stackOf } from '../common/errors/stack-of.js';
import { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { RecoveriesRepository } from './recoveries.repository.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 500;
const PAUSE_MS = 50;
const DAY_MS = 86_400_000;

/** Deletes deliveries that were settled more than RETENTION_DAYS ago, in small batches with pauses between them. */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Retention.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly recoveries: RecoveriesRepository,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.purge(), INTERVAL_MS).unref();
    void this.purge();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** What is still open stays, however old it is. */
  purge(): Promise<void> {
    return (this.running ??= this.run().finally(() => (this.running = undefined)));
  }

  private async run(): Promise<void> {
    const before = this.clock.now() - this.settings.retentionDays * DAY_MS;
    try {
      for (const rows of [this.deliveries, this.recoveries])
        while (!this.isStopping && (await rows.deleteFinishedBefore(before, BATCH)) === BATCH)
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } catch (error) {
      if (isDatabaseUnavailable(error) || this.isStopping) return; // the next time does it
      this.logger.error('Old deliveries cannot be deleted.', stackOf(error));
    }
  }
}
