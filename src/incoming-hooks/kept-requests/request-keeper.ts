import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { Clock } from '../../platform/common/clock.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import type { CommitQueue } from '../../platform/database/commits/commit-queue.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { ExecutionFailed } from '../execution/execution.errors.js';
import { headersWithoutSecrets, startOfBody } from './kept-content.js';
import type { KeptRequest } from './kept-request.entity.js';
import { KeptRequestsRepository, MAX_KEPT_PER_HOOK } from './kept-requests.repository.js';

const INTERVAL_MS = 1_000;
const MAX_PENDING_BYTES = 8 * 1024 * 1024;
/** What a flood at one webhook may make the database write in a second. */
const MAX_PENDING_BYTES_OF_HOOK = 1024 * 1024;
const ROW_BYTES = 1024;
/** A commit of more would hold up others. */
const MAX_BATCH = 4;
const FAILURE = 'Calls of incoming webhooks cannot be kept.';

/** The characters of an error's message that are kept. */
export const MAX_MESSAGE_LENGTH = 1_000;

/** A call, as far as it is kept. */
export interface ReceivedCall {
  readonly hookId: string;
  readonly body: Buffer;
  readonly queryPayload: string | undefined;
  /** The length of a body that was refused unread. */
  readonly unreadBytes?: number;
  /** Where its webhook is. */
  readonly channelId?: string;
  /** Absent for a call that did not come over the network. */
  readonly received?: { readonly requestId: string; readonly headers: IncomingHttpHeaders };
}

/** What became of a call. */
type Outcome = Pick<KeptRequest, 'status' | 'errorId' | 'message' | 'notUnderstood'> & {
  readonly postIds: readonly string[];
};

/** The calls of a webhook that wait. */
interface Pending {
  /** Oldest first. */
  readonly requests: KeptRequest[];
  bytes: number;
}

/**
 * Keeps calls of incoming webhooks, so that whoever manages them can see what was refused, and repeat it
 * (docs/contract/incoming-webhooks.md#kept-calls). They wait in memory and are stored once a second, in batches, so that a
 * flood of refused calls costs little; what is too much is at the cost of the webhook that has the most. A killed process loses
 * those of its last second.
 */
@Injectable()
export class RequestKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly writes = new PeriodicTask(RequestKeeper.name, FAILURE, () => this.write());
  private readonly commits: CommitQueue<KeptRequest, void>;
  /** By webhook, in the order in which they came. */
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

  /** Keeps a call that was refused. */
  refused(call: ReceivedCall, error: AppError): void {
    const { status } = error;
    const [errorId, message] =
      error instanceof ExecutionFailed
        ? [error.innerId, error.messageForManagers]
        : [error.id, error.message];
    this.keep(call, { status, errorId, message, notUnderstood: 0, postIds: [] });
  }

  /** Keeps a call that was posted. */
  posted(call: ReceivedCall, postIds: readonly string[], notUnderstood: number): void {
    this.keep(call, { status: 200, errorId: '', message: '', notUnderstood, postIds });
  }

  /** Resolves once all calls that came before are stored, or could not be. */
  async flush(): Promise<void> {
    await this.writes.run();
    await this.writes.run(); // those that came during the first one
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

  /** Those that an outage keeps from being stored wait for the next time; others that fail are dropped. */
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
