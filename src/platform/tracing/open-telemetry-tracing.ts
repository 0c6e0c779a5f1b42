import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ROOT_CONTEXT, type Context, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { LRUCache } from 'lru-cache';
import { VERSION } from '../common/version.js';
import { formatTraceparent, type NewSpan, parseTraceparent, type Span, Tracing } from './tracing.js';

/** Spans not sent in time are lost: the whole shutdown has ten seconds. */
const FLUSH_WITHIN_MS = 1_000;
const MAX_REMEMBERED = 10_000;

const KINDS = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };

/** Traces with the OpenTelemetry SDK, which reads `OTEL_TRACES_SAMPLER` and its limits from the environment. */
export class OpenTelemetryTracing extends Tracing implements OnApplicationShutdown {
  override readonly isOn = true;
  private readonly running = new AsyncLocalStorage<string>();
  private readonly remembered = new LRUCache<string, string>({ max: MAX_REMEMBERED });
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor(exporter: SpanExporter, serviceName: string) {
    super();
    this.provider = new BasicTracerProvider({
      resource: detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }).merge(
        resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION }),
      ),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.tracer = this.provider.getTracer('hookline', VERSION);
  }

  static to(url: string, serviceName: string): OpenTelemetryTracing {
    return new OpenTelemetryTracing(new ReportingExporter(new OTLPTraceExporter({ url })), serviceName);
  }

  override get current(): string | undefined {
    return this.running.getStore();
  }

  override start({ name, kind, parent, startedAt = performance.now(), attributes }: NewSpan): Span {
    // Uses the system clock, because performance.now() drifts from it over time.
    const startTime = Date.now() - (performance.now() - startedAt);
    const options = { kind: KINDS[kind], attributes, startTime };
    const span = this.tracer.startSpan(name, options, contextOf(parent, kind === 'server'));
    return {
      traceparent: formatTraceparent(span.spanContext()),
      set: (key, value) => void span.setAttribute(key, value),
      end: (errorType) => {
        if (errorType !== undefined) {
          span.setAttribute('error.type', errorType);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end(startTime + (performance.now() - startedAt));
      },
    };
  }

  override within<T>(traceparent: string, work: () => T): T {
    return this.running.run(traceparent, work);
  }

  override remember(id: string, traceparent: string): void {
    this.remembered.set(id, traceparent);
  }

  override recall(id: string): string | undefined {
    return this.remembered.get(id);
  }

  async onApplicationShutdown(): Promise<void> {
    const sent = this.provider.shutdown().catch(() => undefined); // the exporter has logged it
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => (timer = setTimeout(resolve, FLUSH_WITHIN_MS)));
    await Promise.race([sent, timeout]);
    clearTimeout(timer);
  }
}

function contextOf(traceparent: string | undefined, isRemote: boolean): Context {
  const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote }) : ROOT_CONTEXT;
}

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
