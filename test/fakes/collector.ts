import { Receiver } from './receiver.js';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the first span of a trace. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** The OTLP kinds: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  /** 2 for a failure. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly resource: Readonly<Record<string, string | number>>;
}

/** An OpenTelemetry collector on a loopback socket. */
export class Collector {
  private constructor(private readonly receiver: Receiver) {}

  static async start(): Promise<Collector> {
    return new Collector(await Receiver.start((_, response) => void response.end('{}')));
  }

  get url(): string {
    return this.receiver.origin;
  }

  /** All received data, including headers. */
  get everything(): string {
    return JSON.stringify(this.receiver.calls);
  }

  get spans(): ReceivedSpan[] {
    return this.receiver.callsTo('/v1/traces').flatMap(({ body }) => spansOf(JSON.parse(body)));
  }

  close(): Promise<void> {
    return this.receiver.close();
  }
}

function spansOf(body: any): ReceivedSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        name: span.name,
        kind: span.kind,
        startMs: Number(span.startTimeUnixNano) / 1e6,
        endMs: Number(span.endTimeUnixNano) / 1e6,
        status: span.status.code ?? 0,
        attributes: attributesOf(span.attributes),
        resource: attributesOf(resource.attributes),
      })),
    ),
  );
}

function attributesOf(list: any[]): Record<string, string | number> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0] as string | number]));
}
