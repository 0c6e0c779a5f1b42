import type { Readable } from 'node:stream';
import { HttpService } from '@nestjs/axios';
import { Injectable } from '@nestjs/common';
import { BodyReader } from './bounded-body.js';
import { requireCallableUrl } from './callable-url.js';
import { failureOf } from './failure-of.js';
import { OutboundFailure } from './outbound-failure.js';

export const MAX_REPLY_BYTES = 1024 * 1024;

/** One call to another server. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** One deadline over everything: name, connection, TLS, headers and body. */
  readonly timeoutMs: number;
  /** After decompression; 1 MiB unless told. */
  readonly maxReplyBytes?: number;
}

/** A reply, whatever its status. Redirects are replies: they are not followed. */
export interface OutboundReply {
  readonly status: number;
  /** By lower-case name; of repeated headers the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** More came than was allowed: `body` holds the start, and the connection was closed. */
  readonly isCut: boolean;
  /** From the call to the headers of the reply. */
  readonly firstByteMs: number;
  readonly durationMs: number;
}

/** The one way out of the server (design section 4, guard): every call that leaves it goes through here. */
@Injectable()
export class OutboundClient {
  constructor(private readonly http: HttpService) {}

  /** Throws OutboundFailure: refused, not reached, broken, or not whole by the deadline. */
  async send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply> {
    requireCallableUrl(request.url);
    const startedAt = performance.now();
    const elapsed = (): number => performance.now() - startedAt;
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(late(request.timeoutMs)), request.timeoutMs);
    const stop = (): void => controller.abort(new OutboundFailure('aborted', 'The call was given up.'));
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop, { once: true });
    const reader = new BodyReader(request.maxReplyBytes ?? MAX_REPLY_BYTES);
    let status = 0;
    let firstByteMs = -1;
    let raw: Readable | undefined;
    try {
      const response = await this.http.axiosRef.request<Readable>({
        url: request.url,
        method: request.method,
        headers: { 'accept-encoding': 'gzip, deflate, br', ...request.headers },
        data: request.body,
        signal: controller.signal,
      });
      ({ status, data: raw } = response);
      firstByteMs = elapsed();
      const headers = flatten(response.headers);
      const { body, isCut } = await reader.read(raw, headers['content-encoding'] ?? '');
      return { status, headers, body, isCut, firstByteMs, durationMs: elapsed() };
    } catch (error) {
      raw?.on('error', () => undefined).destroy();
      const failure = controller.signal.aborted
        ? (controller.signal.reason as OutboundFailure)
        : failureOf(error);
      throw failure.with({ status, firstByteMs, durationMs: elapsed(), body: reader.soFar });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

function late(timeoutMs: number): OutboundFailure {
  return new OutboundFailure('timeout', `The call was not over after ${timeoutMs / 1000} s.`);
}

function flatten(headers: object): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers as Record<string, string | string[] | undefined>)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) flat[name.toLowerCase()] = last;
  }
  return flat;
}
