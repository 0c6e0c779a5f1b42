import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { secretHash } from '../../platform/audit/audit.service.js';
import type { AppError } from '../../platform/common/errors/app-error.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { RepeatedWarnings } from '../../platform/logging/repeated-warnings.js';
import { aliasPathOf } from '../alias-paths.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { IncomingHooksRepository } from '../incoming-hooks.repository.js';
import { RequestKeeper } from '../kept-requests/request-keeper.js';
import { queryPayloadOf } from '../payload/rocketchat-payload.js';
import { ExecutionFailed } from './execution.errors.js';
import { UsableHooks } from './usable-hooks.js';

const CALL = /^\/hooks\/([^/?]+)/;
const UNKNOWN = 'web.incoming_webhook.invalid.app_error';

/** Maximum value of the column; clients may declare more. */
const MAX_LENGTH = 2 ** 31 - 1;
const NO_BODY = Buffer.alloc(0);

/**
 * Keeps and logs rejected webhook calls, even those that never reached a webhook. Logs the first at once and
 * the others once a minute per webhook, by name and hash. Server errors are logged elsewhere. Calls to
 * unknown webhooks share one line, so that made-up IDs cannot fill the log.
 */
@Injectable()
export class RefusedCalls implements OnApplicationShutdown {
  private readonly warnings = new RepeatedWarnings('IncomingHooks', 'Requests');

  constructor(
    private readonly hooks: IncomingHooksRepository,
    private readonly usable: UsableHooks,
    private readonly keeper: RequestKeeper,
    private readonly metrics: MetricsService,
  ) {}

  /** Records a failed request if it is a webhook call. Never throws. */
  async note(request: HttpRequest, error: AppError): Promise<void> {
    const { method, originalUrl: url, requestId } = request;
    const aliasPath = aliasPathOf(method, url);
    if ((method !== 'POST' && aliasPath === undefined) || error.status >= 500) return;
    const hookId = aliasPath === undefined ? CALL.exec(url)?.[1] : await this.idOf(aliasPath);
    if (hookId === undefined) return;
    this.metrics.incomingHookRefused(error instanceof ExecutionFailed ? error.innerId : error.id);
    const hook = await this.find(hookId, error);
    if (hook) this.keep(hook, request, error);
    const webhook = hook
      ? `The incoming webhook ${JSON.stringify(hook.displayName)}`
      : 'An unknown incoming webhook';
    this.warnings.note({
      key: hook ? hookId : '',
      text: (count) =>
        `${webhook} (${secretHash(hookId)}) refused ${count === 1 ? 'a call' : `${count} calls, the last`}: ${describe(error)}`,
      id: requestId,
    });
  }

  onApplicationShutdown(): void {
    this.warnings.flush();
  }

  private keep({ id, channelId }: IncomingHook, request: HttpRequest, error: AppError): void {
    const { body = NO_BODY, headers } = request as Partial<HttpRequest> & HttpRequest; // undefined until read
    const declared = Math.min(Number(headers['content-length'] ?? 0), MAX_LENGTH);
    const isUnread = body.length === 0 && (declared > 0 || headers['transfer-encoding'] !== undefined);
    const call = { hookId: id, channelId, body, queryPayload: readableQuery(request), received: request };
    this.keeper.refused({ ...call, ...(isUnread && { unreadBytes: declared }) }, error);
  }

  private async idOf(aliasPath: string): Promise<string> {
    const hook = await this.hooks.findByAlias(aliasPath).catch(() => null);
    return hook?.id ?? '';
  }

  /** Returns null if the webhook does not exist or cannot be looked up now. */
  private async find(hookId: string, error: AppError): Promise<IncomingHook | null> {
    if (error instanceof ExecutionFailed && error.innerId === UNKNOWN) return null;
    try {
      return await this.usable.find(hookId);
    } catch {
      return null;
    }
  }
}

function readableQuery(request: HttpRequest): string | undefined {
  try {
    return queryPayloadOf(request);
  } catch {
    return undefined; // malformed, which is why the call was rejected
  }
}

function describe(error: AppError): string {
  const cause = error instanceof ExecutionFailed && error.innerId !== error.id ? ` (${error.innerId})` : '';
  return `${error.status} ${error.id}${cause}: ${error.message}`;
}
