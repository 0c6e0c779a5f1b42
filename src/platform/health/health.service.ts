import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import { DatabaseCheck } from '../database/database-check.js';
import { ServerStopping } from './health.errors.js';

/** Whether this process should get traffic. */
@Injectable()
export class HealthService implements OnModuleDestroy {
  private isStopping = false;

  constructor(private readonly database: DatabaseCheck) {}

  /** Throws what keeps the server from serving: it is stopping, or its database does not answer. */
  async requireReady(): Promise<void> {
    if (this.isStopping) throw new ServerStopping();
    const failure = await this.database.failure();
    if (failure) throw new DatabaseUnavailable(failure);
  }

  /** The first step of a stop: connections are still served, and load balancers are told to look elsewhere. */
  onModuleDestroy(): void {
    this.isStopping = true;
  }
}
