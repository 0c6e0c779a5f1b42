import { HttpService } from '@nestjs/axios';
import { Injectable } from '@nestjs/common';
import type { AxiosAdapter, AxiosRequestHeaders } from 'axios';
import { requireTarget } from './call-target.js';
import { type CallTiming, Exchange } from './exchange.js';
import { OutboundMetrics } from './outbound-metrics.js';
import { failureOf } from './failure-of.js';
import { OutboundFailure } from './outbound-failure.js';
import { withOwnHeaders } from './sent-headers.js';
import type { ExchangeConfig } from './undici-adapter.js';

/** The default limit of a reply's body. */
export const MAX_REPLY_BYTES = 1024 * 1024;

/** One call to another server. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The deadline for the whole call: name lookup, connection, TLS, headers and body. */
  readonly timeoutMs: number;
  /** After decompression; 1 MiB by default. */
  readonly maxReplyBytes?: number;
}

/** A reply with any status. Redirects are not followed. */
export interface OutboundReply {
  readonly status: number;
  /** By lower-case name; the last value of repeated ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The reply exceeded the limit: `body` is its start, and the connection was closed. */
  readonly isCut: boolean;
  /** From the call to the headers of the reply. */
  readonly firstByteMs: number;
  readonly durationMs: number;
  readonly timing: CallTiming;
}

/**
 * The HTTP client for all calls to other servers (docs/contract/outgoing-webhooks.md#calls).
 */
@Injectable()
export class OutboundClient {
  private readonly adapter: AxiosAdapter;

  /** Calls go straight to the adapter: what axios does around it costs more than the call, and changes nothing here. */
  constructor(
    { axiosRef }: HttpService,
    private readonly metrics: OutboundMetrics,
  ) {
    this.adapter = axiosRef.defaults.adapter as AxiosAdapter;
  }

  /** Makes a call. Throws OutboundFailure if there is no complete reply by the deadline. */
  async send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply> {
    const exchange = new Exchange(requireTarget(request.url), request.maxReplyBytes ?? MAX_REPLY_BYTES);
    const timer = setTimeout(() => exchange.fail(timedOut(request.timeoutMs)), request.timeoutMs);
    const stop = (): void => exchange.fail(new OutboundFailure('aborted', 'The call was given up.'));
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop, { once: true });
    this.metrics.called();
    try {
      const config: ExchangeConfig = {
        exchange,
        url: request.url,
        method: request.method,
        headers: withOwnHeaders(request.headers) as object as AxiosRequestHeaders,
        data: request.body,
      };
      await this.adapter(config);
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

function timedOut(timeoutMs: number): OutboundFailure {
  return new OutboundFailure('timeout', `The call was not over after ${timeoutMs / 1000} s.`);
}
