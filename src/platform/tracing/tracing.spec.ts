import { Logger } from '@nestjs/common';
import { InMemorySpanExporter, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { OpenTelemetryTracing, ReportingExporter } from './open-telemetry-tracing.js';
import { formatTraceparent, type NewSpan, parseTraceparent } from './tracing.js';

const REMOTE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const newSpan = (fields: Partial<NewSpan> = {}): NewSpan => ({
  name: 'work',
  kind: 'internal',
  parent: undefined,
  attributes: {},
  ...fields,
});

describe('OpenTelemetryTracing', () => {
  let exporter: InMemorySpanExporter;
  let tracing: OpenTelemetryTracing;
  let sent: readonly ReadableSpan[];
  const flush = async (): Promise<void> => {
    await tracing['provider'].forceFlush();
    sent = exporter.getFinishedSpans();
  };

  beforeEach(() => {
    exporter = new InMemorySpanExporter();
    tracing = new OpenTelemetryTracing(exporter, 'test');
  });
  afterEach(() => tracing.onApplicationShutdown());

  it('nests spans below their parents', async () => {
    const parent = tracing.start(newSpan({ name: 'parent' }));
    const child = tracing.start(newSpan({ name: 'child', parent: parent.traceparent }));
    tracing.start(newSpan({ name: 'other' })).end();
    child.end();
    parent.end();
    await flush();
    const [other, below, above] = sent;
    expect(below!.parentSpanContext?.spanId).toBe(above!.spanContext().spanId);
    expect(below!.spanContext().traceId).toBe(above!.spanContext().traceId);
    expect(above!.parentSpanContext).toBeUndefined();
    expect(other!.spanContext().traceId).not.toBe(above!.spanContext().traceId);
  });

  it('continues the trace of a caller, and starts one if the header is invalid', async () => {
    tracing.start(newSpan({ kind: 'server', parent: REMOTE })).end();
    tracing.start(newSpan({ kind: 'server', parent: `${REMOTE}-more` })).end();
    await flush();
    expect(sent[0]!.parentSpanContext).toMatchObject({ spanId: '00f067aa0ba902b7', isRemote: true });
    expect(sent[1]!.parentSpanContext).toBeUndefined();
  });

  it('exports nothing of a trace that its caller does not record', async () => {
    const span = tracing.start(newSpan({ kind: 'server', parent: REMOTE.replace(/01$/, '00') }));
    tracing.start(newSpan({ parent: span.traceparent })).end();
    span.end();
    await flush();
    expect(sent).toEqual([]);
    expect(span.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-00$/);
  });

  it('tracks work within a span, and forgets it afterwards', async () => {
    const span = tracing.start(newSpan());
    const inside = await tracing.within(span.traceparent, async () => {
      await new Promise(setImmediate);
      return tracing.current;
    });
    expect(inside).toBe(span.traceparent);
    expect(tracing.current).toBeUndefined();
    span.end();
  });

  it('remembers the spans of the latest rows', () => {
    for (let row = 0; row <= 10_000; row++) tracing.remember(`row ${row}`, REMOTE);
    expect(tracing.recall('row 10000')).toBe(REMOTE);
    expect(tracing.recall('row 0')).toBeUndefined();
  });

  it('measures a span from its start', async () => {
    const startedAt = performance.now() - 5_000;
    tracing.start(newSpan({ startedAt })).end();
    await flush();
    const [seconds] = sent[0]!.duration;
    expect(seconds).toBe(5);
    expect(Math.abs(sent[0]!.endTime[0] * 1_000 - Date.now())).toBeLessThan(2_000);
  });

  it('records the error that ended a span', async () => {
    tracing.start(newSpan()).end('timeout');
    await flush();
    expect(sent[0]).toMatchObject({ attributes: { 'error.type': 'timeout' }, status: { code: 2 } });
  });

  it('stops in time if the collector does not answer', async () => {
    exporter.shutdown = () => new Promise(() => undefined);
    tracing.start(newSpan()).end();
    const startedAt = performance.now();
    await tracing.onApplicationShutdown();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('ReportingExporter', () => {
  it('reports once that spans cannot be sent, and once that they can again', () => {
    const lines: string[] = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void lines.push(String(line)));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
    const outcomes = [0, 1, 1, 0, 0];
    const collector: SpanExporter = {
      export: (_, done) => done({ code: outcomes.shift()!, error: new Error('connect ECONNREFUSED') }),
      shutdown: () => Promise.resolve(),
    };
    const exporter = new ReportingExporter(collector);
    const results: number[] = [];
    for (let call = 0; call < 5; call++) exporter.export([], ({ code }) => results.push(code));
    expect(results).toEqual([0, 1, 1, 0, 0]);
    expect(lines).toEqual([
      'Traces cannot be sent and are dropped meanwhile: connect ECONNREFUSED',
      'Traces are sent again.',
    ]);
  });
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  it('is written as it is read', () => {
    for (const flags of ['00', '01']) {
      const text = `00-${TRACE}-${SPAN}-${flags}`;
      const parsed = parseTraceparent(text);
      expect(parsed).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: Number(flags) });
      expect(formatTraceparent(parsed!)).toBe(text);
    }
  });

  it('can have a later version with more fields and flags', () => {
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-ff-more`)?.traceFlags).toBe(1);
  });

  it.each([
    '',
    'nothing',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
  ])('is not %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});
