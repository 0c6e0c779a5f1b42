/** A unit of work in a trace. Its attributes contain no text, address or secret. */
export interface Span {
  /** The id of the span in the format of the `traceparent` header (W3C Trace Context). */
  readonly traceparent: string;
  set(name: string, value: string | number): void;
  /** Ends the span; an error class marks it as failed. */
  end(errorType?: string): void;
}

/** A new span. */
export interface NewSpan {
  readonly name: string;
  readonly kind: 'server' | 'internal' | 'client';
  /** The `traceparent` of the parent span; without one, the span starts a trace. */
  readonly parent: string | undefined;
  /** By performance.now(); now by default. */
  readonly startedAt?: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/**
 * Creates traces. Check `isOn` before any other call, so that a server without traces allocates no objects
 * for them.
 */
export abstract class Tracing {
  abstract readonly isOn: boolean;

  /** The `traceparent` of the current span. */
  abstract get current(): string | undefined;

  abstract start(span: NewSpan): Span;

  /** Runs work and its continuations within a span. */
  abstract within<T>(traceparent: string, work: () => T): T;

  /** Remembers temporarily which span stored a row, for work that the row causes later in this process. */
  abstract remember(id: string, traceparent: string): void;

  /** The remembered `traceparent` of a row. */
  abstract recall(id: string): string | undefined;
}

const NO_SPAN: Span = { traceparent: '', set: () => undefined, end: () => undefined };

/** Creates no traces. */
export class NoTracing extends Tracing {
  override readonly isOn = false;
  override readonly current = undefined;

  override start(): Span {
    return NO_SPAN;
  }

  override within<T>(_traceparent: string, work: () => T): T {
    return work();
  }

  override remember(): void {}

  override recall(): undefined {}
}

/** The contents of a `traceparent` (W3C Trace Context, level 1). */
interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const FORMAT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Undefined if invalid. Later versions may add fields, which are ignored. */
export function parseTraceparent(text: string): Traceparent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = FORMAT.exec(text) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & SAMPLED };
}

/** Formats the `traceparent` of a span. */
export function formatTraceparent({ traceId, spanId, traceFlags }: Traceparent): string {
  return `00-${traceId}-${spanId}-${(traceFlags & SAMPLED).toString(16).padStart(2, '0')}`;
}
