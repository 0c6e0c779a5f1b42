import { Module } from '@nestjs/common';
import { AuditModule } from './audit/audit.module.js';
import { InstallationModule } from './database/installation/installation.module.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { ScalingModule } from './scaling/scaling.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { TracingModule } from './tracing/tracing.module.js';

/** What any server needs, regardless of its purpose. The root module adds settings and the database. */
@Module({
  imports: [
    InstallationModule,
    ScalingModule,
    EventsModule,
    SecretsModule,
    AuditModule,
    MetricsModule,
    TracingModule,
    HealthModule,
  ],
})
export class PlatformModule {}
