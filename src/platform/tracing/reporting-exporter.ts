import { Logger } from '@nestjs/common';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** From ExportResultCode, which is in a separate package of the SDK. */
const SUCCESS = 0;

type Exported = Parameters<SpanExporter['export']>[1];

/** Forwards spans, and logs when the collector stops and resumes accepting them. */
export class ReportingExporter implements SpanExporter {
  private readonly logger = new Logger('Tracing');
  private isFailing = false;

  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], exported: Exported): void {
    this.exporter.export(spans, (result) => {
      this.report(Number(result.code) === SUCCESS ? undefined : (result.error?.message ?? 'unknown reason'));
      exported(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private report(failure: string | undefined): void {
    if (this.isFailing === (failure !== undefined)) return;
    this.isFailing = failure !== undefined;
    if (failure !== undefined)
      this.logger.warn(`Traces cannot be sent and are dropped meanwhile: ${failure}`);
    else this.logger.log('Traces are sent again.');
  }
}
