import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { MetricsService } from '../metrics/metrics.service.js';
import { RedisCheck } from '../scaling/redis-check.js';

/** The warnings of `/health/ready` as a number, for alerts: the server serves on without Redis, so nothing else shows. */
@Injectable()
export class HealthMetrics {
  constructor(metrics: MetricsService, redis: RedisCheck) {
    new Gauge({
      name: 'hookline_redis_faults',
      help: 'What is wrong with Redis, as /health/ready and the log name it; 0 also without REDIS_URL.',
      aggregator: 'max',
      registers: [metrics.registry],
      collect() {
        this.set(redis.faults.length);
      },
    });
  }
}
