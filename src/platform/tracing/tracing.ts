import type { NextFunction, Response } from 'express';
import type { HttpRequest } from '../common/http/http-request.js';

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

const NO_SPAN: Span = { traceparent: '', set: () => undefined, end: () => undefined };

/** Creates traces; this class creates none. Check `isOn` first, so that nothing is allocated for them. */
export class Tracing {
  readonly isOn: boolean = false;

  get current(): string | undefined {
    return undefined;
  }

  start(_span: NewSpan): Span {
    return NO_SPAN;
  }

  within<T>(_traceparent: string, work: () => T): T {
    return work();
  }

  /** Remembers temporarily which span stored a row, for work that the row causes later in this process. */
  remember(_id: string, _traceparent: string): void {}

  recall(_id: string): string | undefined {
    return undefined;
  }
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

/**
 * Creates a span for each request to a POST route. Runs as the last middleware, since earlier ones wait for
 * the body. With `continues`, the span is a child of the one the caller names.
 */
export function traceRequests(
  tracing: Tracing,
  route: string,
  continues: boolean,
): (request: HttpRequest, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const { traceparent } = request.headers;
    const span = tracing.start({
      name: `POST ${route}`,
      kind: 'server',
      parent: continues && typeof traceparent === 'string' ? traceparent : undefined,
      startedAt: request.startedAt,
      attributes: {
        'http.request.method': 'POST',
        'http.route': route,
        'hookline.request.id': request.requestId,
      },
    });
    response.once('close', () => {
      if (!response.writableFinished) return span.end('aborted');
      span.set('http.response.status_code', response.statusCode);
      span.end(response.statusCode >= 500 ? String(response.statusCode) : undefined);
    });
    tracing.within(span.traceparent, next);
  };
}
