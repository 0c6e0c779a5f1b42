import { Global, Module } from '@nestjs/common';
import { Declares } from '../modules/declares.js';
import { Tracing } from './tracing.js';
import { TracingSettings } from './tracing.settings.js';

async function openTracing(settings: TracingSettings): Promise<Tracing> {
  if (settings.tracesUrl === undefined) return new Tracing();
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.js');
  return OpenTelemetryTracing.to(settings.tracesUrl, settings.serviceName);
}

/** Traces for every module. */
@Global()
@Module({
  providers: [{ provide: Tracing, useFactory: openTracing, inject: [TracingSettings] }],
  exports: [Tracing],
})
@Declares({ settings: TracingSettings })
export class TracingModule {}
