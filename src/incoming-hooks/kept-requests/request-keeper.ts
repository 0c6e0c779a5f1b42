import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { KeptContent, KeptRequest } from './kept-request.entity.js';
import { Clock } from '../../platform/common/clock.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import type { CommitQueue } from '../../platform/database/commits/commit-queue.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { ExecutionFailed } from '../execution/execution.errors.js';
import { KeptRequestsRepository, MAX_KEPT_PER_HOOK } from './kept-requests.repository.js';

export const MAX_BODY_BYTES = 64 * 1024;

/** Other headers may contain a secret or the caller's address, no matter what their names suggest. */
const HARMLESS = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'ce-dataschema',
  'ce-id',
  'ce-source',
  'ce-specversion',
  'ce-subject',
  'ce-time',
  'ce-type',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'expect',
  'hookline-key',
  'hookline-on-key',
  'host',
  'idempotency-key',
  'sentry-hook-resource',
  'traceparent',
  'transfer-encoding',
  'user-agent',
]);
/** Headers that identify the event or the call. */
const CALL_HEADERS =
  /^x-(?:.+-)?(?:event(?:-key|-type|-uuid)?|delivery|(?:hook|request|correlation)-(?:id|uuid))$/;
/** Credentials of proxies and clients. */
const SECRET_VALUE = /^(?:bearer|basic|digest|negotiate) |^ey[\w-]+\.[\w-]+\.[\w-]*$/i;
/** Control characters except tab and line breaks: JSON escapes each of them as six characters. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/** Whether the values of a header are kept; the name is in lower case. */
export const isKeptHeader = (name: string): boolean => HARMLESS.has(name) || CALL_HEADERS.test(name);

/** Returns the headers known to be harmless, except those whose value is clearly a secret. */
export function headersWithoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || !isKeptHeader(name)) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (!SECRET_VALUE.test(text)) kept[name] = text;
  }
  return kept;
}

/** Returns the start of a body: as text if it is plain text, otherwise as base64. */
export function startOfBody(
  body: Buffer,
): Pick<KeptContent, 'body' | 'encoding'> & { readonly isCut: boolean } {
  const isCut = body.length > MAX_BODY_BYTES;
  let end = Math.min(body.length, MAX_BODY_BYTES);
  // Do not split a character.
  if (isCut) while (end > MAX_BODY_BYTES - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end--;
  const start = body.subarray(0, end);
  const text = isUtf8(start) ? start.toString('utf8') : undefined;
  return text === undefined || CONTROL.test(text)
    ? { body: start.toString('base64'), encoding: 'base64', isCut }
    : { body: text, encoding: 'utf8', isCut };
}

const INTERVAL_MS = 1_000;
const MAX_PENDING_BYTES = 8 * 1024 * 1024;
/** Limits what a flood of calls to one webhook makes the database write per second. */
const MAX_PENDING_BYTES_OF_HOOK = 1024 * 1024;
const ROW_BYTES = 1024;
/** A larger commit would delay others. */
const MAX_BATCH = 4;
const FAILURE = 'Calls of incoming webhooks cannot be kept.';

export const MAX_MESSAGE_LENGTH = 1_000;

export interface ReceivedCall {
  readonly hookId: string;
  readonly body: Buffer;
  readonly queryPayload: string | undefined;
  /** Length of a body that was rejected unread. */
  readonly unreadBytes?: number;
  readonly channelId?: string;
  /** Absent for a call that did not come over the network. */
  readonly received?: {
    readonly requestId: string;
    readonly headers: IncomingHttpHeaders;
    readonly query?: Readonly<Record<string, unknown>>;
  };
}

type Outcome = Pick<KeptRequest, 'status' | 'errorId' | 'message' | 'notUnderstood'> & {
  readonly postIds: readonly string[];
};

interface Pending {
  readonly requests: KeptRequest[];
  bytes: number;
}

/**
 * Keeps calls of incoming webhooks, so that their managers can see and replay rejected calls
 * (docs/contract/incoming-webhooks.md#kept-calls). Calls wait in memory and are stored once a second in
 * batches, so that a flood is cheap. Beyond the memory limit, the webhook with the most data loses its oldest
 * calls. A killed process loses those of the last second.
 */
@Injectable()
export class RequestKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly writes = new PeriodicTask(RequestKeeper.name, FAILURE, () => this.write());
  private readonly commits: CommitQueue<KeptRequest, void>;
  /** By webhook, in order of arrival. */
  private pending = new Map<string, Pending>();
  private pendingBytes = 0;

  constructor(
    private readonly repository: KeptRequestsRepository,
    private readonly clock: Clock,
    engine: CommitEngine,
  ) {
    this.commits = engine.open({
      name: 'calls of incoming webhooks',
      isQuiet: true,
      prepare: (requests) => ({ steps: this.repository.save(requests) }),
      sizeOf,
      maxBatchRequests: MAX_BATCH,
    });
  }

  onApplicationBootstrap(): void {
    this.writes.start(INTERVAL_MS);
  }

  refused(call: ReceivedCall, error: AppError): void {
    const { status } = error;
    const [errorId, message] =
      error instanceof ExecutionFailed
        ? [error.innerId, error.messageForManagers]
        : [error.id, error.message];
    this.keep(call, { status, errorId, message, notUnderstood: 0, postIds: [] });
  }

  ignored(call: ReceivedCall, reason: string): void {
    this.keep(call, { status: 200, errorId: '', message: reason, notUnderstood: 0, postIds: [] });
  }

  posted(call: ReceivedCall, postIds: readonly string[], notUnderstood: number): void {
    this.keep(call, { status: 200, errorId: '', message: '', notUnderstood, postIds });
  }

  /** Resolves once all earlier calls have been stored or have failed to be. */
  async flush(): Promise<void> {
    await this.writes.run();
    await this.writes.run(); // calls that arrived during the first run
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
    await this.writes.stop();
  }

  private keep(call: ReceivedCall, outcome: Outcome): void {
    const { hookId, channelId, body, unreadBytes, queryPayload = '', received } = call;
    if (!received) return;
    const { postIds, ...rest } = outcome;
    const { isCut, ...start } = startOfBody(body);
    this.add({
      id: received.requestId,
      hookId,
      createAt: this.clock.now(),
      ...rest,
      message: rest.message.slice(0, MAX_MESSAGE_LENGTH),
      bodySize: unreadBytes ?? body.length,
      isCut: isCut || unreadBytes !== undefined,
      content: {
        headers: headersWithoutSecrets(received.headers),
        queryPayload,
        ...start,
        postIds,
        channelId,
      },
    });
  }

  private add(request: KeptRequest): void {
    const ofHook = this.pending.get(request.hookId) ?? { requests: [], bytes: 0 };
    this.pending.set(request.hookId, ofHook);
    ofHook.requests.push(request);
    ofHook.bytes += sizeOf(request);
    this.pendingBytes += sizeOf(request);
    if (ofHook.requests.length > MAX_KEPT_PER_HOOK) this.drop(ofHook);
    while (ofHook.bytes > MAX_PENDING_BYTES_OF_HOOK) this.drop(ofHook);
    while (this.pendingBytes > MAX_PENDING_BYTES) this.drop(this.largest(ofHook));
  }

  private largest(ofHook: Pending): Pending {
    let largest = ofHook;
    for (const other of this.pending.values()) if (other.bytes > largest.bytes) largest = other;
    return largest;
  }

  private drop(ofHook: Pending): void {
    const oldest = ofHook.requests.shift();
    if (!oldest) return;
    ofHook.bytes -= sizeOf(oldest);
    this.pendingBytes -= sizeOf(oldest);
  }

  /** Retries calls next time if the database is unavailable; drops calls that fail otherwise. */
  private async write(): Promise<void> {
    if (this.pending.size === 0) return;
    const requests = Array.from(this.pending.values(), (ofHook) => ofHook.requests).flat();
    this.pending = new Map();
    this.pendingBytes = 0;
    const results = await Promise.allSettled(requests.map((request) => this.commits.submit(request)));
    let failure: Error | undefined;
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') continue;
      failure = result.reason as Error;
      const request = requests[index];
      if (request && isDatabaseUnavailable(failure)) this.add(request);
    }
    if (failure) throw failure;
    await this.repository.shrinkAll();
  }
}

function sizeOf({ content: { body, queryPayload, headers } }: KeptRequest): number {
  let size = ROW_BYTES + body.length + queryPayload.length;
  for (const [name, value] of Object.entries(headers)) size += name.length + value.length;
  return size;
}
