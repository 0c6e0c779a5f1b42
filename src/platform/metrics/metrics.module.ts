import { Global, Module } from '@nestjs/common';
import { Declares } from '../modules/declares.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsService } from './metrics.service.js';
import { MetricsSettings } from './metrics.settings.js';
import { WorkerMetrics } from './worker-metrics.js';

/** Metrics for every module, and the endpoint that exposes them. */
@Global()
@Module({
  controllers: [MetricsController],
  providers: [MetricsService, WorkerMetrics],
  exports: [MetricsService],
})
@Declares({ settings: MetricsSettings })
export class MetricsModule {}
