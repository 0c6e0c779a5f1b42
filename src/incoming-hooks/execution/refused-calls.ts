import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { secretHash } from '../../platform/audit/audit.service.js';
import type { AppError } from '../../platform/common/errors/app-error.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { RepeatedWarnings } from '../../platform/logging/repeated-warnings.js';
import { IncomingHooksService } from '../incoming-hooks.service.js';
import { ExecutionFailed } from './execution.errors.js';

const CALL = /^\/hooks\/([^/?]+)/;
const UNKNOWN = 'web.incoming_webhook.invalid.app_error';

/**
 * Logs refused calls of webhooks: the first at once, the others once a minute for each webhook, by name and hash. Faults
 * of the server are logged elsewhere. Calls that no webhook takes share one line, as made-up ids must not fill the log.
 */
@Injectable()
export class RefusedCalls implements OnApplicationShutdown {
  private readonly warnings = new RepeatedWarnings('IncomingHooks', 'Requests');

  constructor(private readonly hooks: IncomingHooksService) {}

  /** Notes a request that failed, if it is a call of a webhook. Never throws, and keeps nobody waiting. */
  note({ method, url, requestId }: HttpRequest, error: AppError): void {
    const hookId = method === 'POST' && error.status < 500 ? CALL.exec(url)?.[1] : undefined;
    if (hookId === undefined) return;
    void this.nameOf(hookId, error).then((name) => {
      const webhook =
        name === undefined ? 'An unknown incoming webhook' : `The incoming webhook ${JSON.stringify(name)}`;
      this.warnings.note({
        key: name === undefined ? '' : hookId,
        text: (count) =>
          `${webhook} (${secretHash(hookId)}) refused ${count === 1 ? 'a call' : `${count} calls, the last`}: ${describe(error)}`,
        id: requestId,
      });
    });
  }

  onApplicationShutdown(): void {
    this.warnings.flush();
  }

  /** Undefined if there is no such webhook, or if it cannot be looked up now. */
  private async nameOf(hookId: string, error: AppError): Promise<string | undefined> {
    if (error instanceof ExecutionFailed && error.innerId === UNKNOWN) return undefined;
    try {
      return (await this.hooks.find(hookId))?.displayName;
    } catch {
      return undefined;
    }
  }
}

function describe(error: AppError): string {
  const cause = error instanceof ExecutionFailed && error.innerId !== error.id ? ` (${error.innerId})` : '';
  return `${error.status} ${error.id}${cause}: ${error.message}`;
}
