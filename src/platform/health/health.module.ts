import { Module } from '@nestjs/common';
import { HealthMetrics } from './health-metrics.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

/** Liveness and readiness. */
@Module({ controllers: [HealthController], providers: [HealthService, HealthMetrics] })
export class HealthModule {}
