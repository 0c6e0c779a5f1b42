import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Settings } from '../config/settings.js';
import { Purge } from '../database/purge.js';
import { AuditRepository } from './audit.repository.js';

/** Deletes audit rows that are older than AUDIT_RETENTION. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly purging: Purge;

  constructor(
    repository: AuditRepository,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {
    this.purging = new Purge('audit rows', [
      async (limit) => (this.isKeptForEver ? 0 : repository.deleteBefore(this.before, limit)),
    ]);
  }

  onApplicationBootstrap(): void {
    this.purging.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.purging.stop();
  }

  purge(): Promise<void> {
    return this.purging.run();
  }

  private get isKeptForEver(): boolean {
    return this.settings.auditRetentionMs === 0;
  }

  private get before(): number {
    return this.clock.now() - this.settings.auditRetentionMs;
  }
}
