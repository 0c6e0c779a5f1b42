import { Module } from '@nestjs/common';
import { HealthMetrics, HealthService } from './health.service.js';
import { HealthController } from './health.controller.js';
import { Declares } from '../modules/declares.js';

/** Liveness and readiness. */
@Module({
  controllers: [HealthController],
  providers: [HealthService, HealthMetrics],
  exports: [HealthService],
})
@Declares({ apiGroups: [{ name: 'operation', position: 170, description: 'Health checks and metrics.' }] })
export class HealthModule {}
