import { Injectable } from '@nestjs/common';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import { DatabaseCheck } from '../database/database-check.js';
import { OwnerLock } from '../database/owner-lock.js';
import { RedisCheck } from '../scaling/redis-check.js';
import { serverStopping } from './health.errors.js';

/** Whether this process should get traffic. */
@Injectable()
export class HealthService {
  private isStopping = false;

  constructor(
    private readonly database: DatabaseCheck,
    private readonly ownerLock: OwnerLock,
    private readonly redis: RedisCheck,
  ) {}

  /** What is wrong though the server serves. */
  get warnings(): readonly string[] {
    return this.redis.faults;
  }

  /** Throws `serverStopping`, or DatabaseUnavailable if the database does not answer or this process may not write to it. */
  async requireReady(): Promise<void> {
    if (this.isStopping) throw serverStopping();
    const failure = await this.database.failure();
    if (failure) throw new DatabaseUnavailable(failure);
    if (!this.ownerLock.isHeld)
      throw new DatabaseUnavailable(new Error('The lock on the database was lost, and is taken again.'));
  }

  /** The first step of a shutdown: requests are still served, but load balancers see that the server is not ready. */
  retire(): void {
    this.isStopping = true;
  }
}
