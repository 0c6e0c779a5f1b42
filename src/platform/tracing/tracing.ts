/** A piece of work in a trace. Its attributes hold no text, address or secret. */
export interface Span {
  /** Identifies it, in the form of the header `traceparent` (W3C Trace Context). */
  readonly traceparent: string;
  set(name: string, value: string | number): void;
  /** Ends it; with the class of an error, as failed. */
  end(errorType?: string): void;
}

/** A new span. */
export interface NewSpan {
  readonly name: string;
  readonly kind: 'server' | 'internal' | 'client';
  /** The `traceparent` of the span that it belongs to; without one it begins a trace. */
  readonly parent: string | undefined;
  /** By performance.now(); now by default. */
  readonly startedAt?: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/**
 * Traces of what the server does. Ask `isOn` before anything else here, so that a server without traces makes no objects
 * for them.
 */
export abstract class Tracing {
  abstract readonly isOn: boolean;

  /** The `traceparent` of the span that the caller runs within. */
  abstract get current(): string | undefined;

  abstract start(span: NewSpan): Span;

  /** Runs work, and what follows from it, within a span. */
  abstract within<T>(traceparent: string, work: () => T): T;

  /** Remembers for a while which span stored a row, for what the row causes later in this process. */
  abstract remember(id: string, traceparent: string): void;

  /** The `traceparent` that was remembered for a row. */
  abstract recall(id: string): string | undefined;
}
