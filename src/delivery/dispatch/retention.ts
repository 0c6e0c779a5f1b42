import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { Purge } from '../../platform/database/purge.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { RecoveriesRepository } from './recoveries.repository.js';

const DAY_MS = 86_400_000;

/** Deletes deliveries that were settled more than RETENTION_DAYS ago. What is still open stays, however old it is. */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly purging: Purge;

  constructor(
    deliveries: DeliveriesRepository,
    recoveries: RecoveriesRepository,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {
    this.purging = new Purge(
      'deliveries',
      [deliveries, recoveries].map((rows) => (limit) => rows.deleteFinishedBefore(this.before, limit)),
    );
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

  private get before(): number {
    return this.clock.now() - this.settings.retentionDays * DAY_MS;
  }
}
