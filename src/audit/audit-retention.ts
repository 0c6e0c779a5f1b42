import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Settings } from '../config/settings.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { AuditRepository } from './audit.repository.js';

const INTERVAL_MS = 10 * 60_000;
const BATCH = 500;
const PAUSE_MS = 50;

/** Deletes audit rows that are older than AUDIT_RETENTION, in small batches with pauses between them. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AuditRetention.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(
    private readonly repository: AuditRepository,
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

  purge(): Promise<void> {
    return (this.running ??= this.run().finally(() => (this.running = undefined)));
  }

  private async run(): Promise<void> {
    if (this.settings.auditRetentionMs === 0) return;
    const before = this.clock.now() - this.settings.auditRetentionMs;
    try {
      while (!this.isStopping && (await this.repository.deleteBefore(before, BATCH)) === BATCH)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    } catch (error) {
      if (isDatabaseUnavailable(error) || this.isStopping) return; // the next time does it
      this.logger.error(
        'Old audit rows cannot be deleted.',
        error instanceof Error ? error.stack : String(error),
      );
    }
  }
}
