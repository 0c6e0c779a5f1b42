import { Module } from '@nestjs/common';
import { HealthMetrics, HealthService } from './health.service.js';
import { HealthController } from './health.controller.js';

/** Liveness and readiness. */
@Module({ controllers: [HealthController], providers: [HealthService, HealthMetrics] })
export class HealthModule {}
