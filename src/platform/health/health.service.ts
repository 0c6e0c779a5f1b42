import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Gauge } from 'prom-client';
import { AppError } from '../common/errors/app-error.js';
import { DatabaseUnavailable } from '../common/errors/common-errors.js';
import { DatabaseCheck } from '../database/database-pool.js';
import { OwnerLock } from '../database/owner-lock.js';
import { RedisCheck } from '../scaling/redis-check.js';
import { MetricsService } from '../metrics/metrics.service.js';

const serverStopping = () =>
  new AppError(503, 'app.server.stopping.app_error', 'The server is stopping.', {
    headers: { 'Retry-After': '5' },
  });

/** Reports whether this process should receive traffic. The answers of @nestjs/terminus have another shape. */
@Injectable()
export class HealthService {
  private readonly stop = new AbortController();

  constructor(
    private readonly database: DatabaseCheck,
    private readonly ownerLock: OwnerLock,
    private readonly redis: RedisCheck,
  ) {}

  /** Aborts when a shutdown begins: requests that wait for something should end. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  get warnings(): readonly string[] {
    return this.redis.faults;
  }

  /** Throws `serverStopping`, or DatabaseUnavailable if the database is down or its lock was lost. */
  async requireReady(): Promise<void> {
    if (this.stopping.aborted) throw serverStopping();
    const failure = await this.database.failure();
    if (failure) throw new DatabaseUnavailable(failure);
    if (!this.ownerLock.isHeld)
      throw new DatabaseUnavailable(
        new Error('The lock on the database was lost and is being acquired again.'),
      );
  }

  /** The first step of a shutdown: requests are still served, but load balancers see that the server is not ready. */
  retire(): void {
    this.stop.abort();
  }
}

/** The response of both health checks. */
export class HealthDto {
  @ApiProperty({ enum: ['ok'], example: 'ok' }) status: 'ok';
}

/** The response of the readiness check. */
export class ReadinessDto extends HealthDto {
  @ApiProperty({
    type: [String],
    description: 'Problems although the server is ready; absent without any.',
    required: false,
  })
  warnings?: readonly string[];
}

/** The shared response of a healthy server. */
export const HEALTHY: HealthDto = { status: 'ok' };

/** The number of `/health/ready` warnings, for alerts: without Redis, the server keeps serving. */
@Injectable()
export class HealthMetrics {
  constructor(metrics: MetricsService, redis: RedisCheck) {
    new Gauge({
      name: 'hookline_redis_faults',
      help: 'The problem with Redis, as in /health/ready and the log; 0 also without REDIS_URL.',
      aggregator: 'max',
      registers: [metrics.registry],
      collect() {
        this.set(redis.faults.length);
      },
    });
  }
}
