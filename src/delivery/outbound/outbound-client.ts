import { LRUCache } from 'lru-cache';
import { HttpService } from '@nestjs/axios';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { requireCallableUrl } from './callable-url.js';
import { type CallTiming, Exchange } from './exchange.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { failureOf, OutboundFailure } from './outbound-failure.js';
import type { ExchangeConfig } from './undici-adapter.js';

export interface CallTarget {
  readonly origin: string;
  readonly path: string;
}

/** Most calls go to few URLs, and a cache lookup is faster than validating and parsing them. */
const targets = new LRUCache<string, CallTarget>({ max: 1_000 });

function requireTarget(text: string): CallTarget {
  const known = targets.get(text);
  if (known) return known;
  const { origin, pathname, search } = requireCallableUrl(text);
  const target = { origin, path: pathname + search };
  targets.set(text, target);
  return target;
}

type Headers = Readonly<Record<string, string>>;

function withOwnHeaders(headers: Headers): Record<string, string> {
  return { ...headers, 'accept-encoding': 'gzip, deflate, br' };
}

interface PastRequest {
  readonly url: string;
  readonly headers: Headers;
  /** Undefined to omit the content length. */
  readonly bodyBytes: number | undefined;
}

/** The headers as sent, in order, except `connection`. */
export function sentHeaders({ url, headers, bodyBytes }: PastRequest): Record<string, string> {
  return {
    host: new URL(url).host,
    ...withOwnHeaders(headers),
    ...(bodyBytes === undefined ? {} : { 'content-length': String(bodyBytes) }),
  };
}

export const MAX_REPLY_BYTES = 1024 * 1024;

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The deadline for the whole call: name lookup, connection, TLS, headers and body. */
  readonly timeoutMs: number;
  /** When the time began to run, by `performance.now()`; by default, when the request is sent. */
  readonly startedAt?: number;
  /** Limit after decompression; 1 MiB by default. */
  readonly maxReplyBytes?: number;
}

/** A reply with any status. Redirects are not followed. */
export interface OutboundReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The reply exceeded the limit: `body` is its beginning, and the connection was closed. */
  readonly isCut: boolean;
  /** Time from the call to the reply's headers. */
  readonly firstByteMs: number;
  readonly durationMs: number;
  readonly timing: CallTiming;
}

/** The HTTP client for all calls to other servers (docs/contract/outgoing-webhooks.md#calls). */
@Injectable()
export class OutboundClient {
  private readonly calls: Counter;

  constructor(
    private readonly http: HttpService,
    { registry }: MetricsService,
  ) {
    this.calls = new Counter({
      name: 'hookline_outbound_calls_total',
      help: 'Calls to other servers, including failed connections.',
      registers: [registry],
    });
    http.axiosRef.defaults.headers.common = {}; // callers set their own headers
  }

  /** Makes a call. Throws OutboundFailure if there is no complete reply by the deadline. */
  async send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply> {
    const exchange = new Exchange(requireTarget(request.url), request.maxReplyBytes ?? MAX_REPLY_BYTES);
    const timer = setTimeout(() => exchange.fail(timedOut(request.timeoutMs)), remainingMs(request));
    const stop = (): void => exchange.fail(new OutboundFailure('aborted', 'The call was cancelled.'));
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop, { once: true });
    this.calls.inc();
    try {
      const config: ExchangeConfig = {
        exchange,
        url: request.url,
        method: request.method,
        headerList: Object.entries(withOwnHeaders(request.headers)).flat(),
        data: request.body,
      };
      await this.http.axiosRef.request(config);
      const { status, headers, body, isCut, firstByteMs, elapsedMs: durationMs, timing } = exchange;
      return { status, headers, body, isCut, firstByteMs, durationMs, timing };
    } catch (error) {
      const failure = failureOf(error);
      exchange.fail(failure);
      const { status, headers, firstByteMs, elapsedMs: durationMs, body, timing } = exchange;
      throw failure.with({ status, headers, firstByteMs, durationMs, body, timing });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

/** How much is left of the time of a request. */
export function remainingMs({
  timeoutMs,
  startedAt = performance.now(),
}: Pick<OutboundRequest, 'timeoutMs' | 'startedAt'>): number {
  return Math.max(1, timeoutMs - (performance.now() - startedAt));
}

function timedOut(timeoutMs: number): OutboundFailure {
  return new OutboundFailure('timeout', `The call did not finish within ${timeoutMs / 1000} s.`);
}
