import { Injectable } from '@nestjs/common';
import type { Actor } from '../../messaging/permissions/actor.js';
import { Clock } from '../../platform/common/clock.js';
import type { Page } from '../../platform/common/dto/params.js';
import { Purge } from '../../platform/database/purge.js';
import { type Executed, HookExecutionService } from '../execution/hook-execution.service.js';
import { IncomingHooksService } from '../incoming-hooks.service.js';
import { MAX_BODY_BYTES } from './kept-content.js';
import type { KeptRequest } from './kept-request.entity.js';
import { keptRequestCut, keptRequestNotFound } from './kept-requests.errors.js';
import { KeptRequestsRepository, type RefusingHook } from './kept-requests.repository.js';
import { KeptRequestsPolicy } from './kept-requests.policy.js';
import { RequestKeeper } from './request-keeper.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const RETENTION_MS = 7 * DAY_MS;
export const MAX_REFUSING = 60;

/** Shows and repeats kept calls to those who may manage their webhook (docs/contract/incoming-webhooks.md#kept-calls). */
@Injectable()
export class KeptRequestsService {
  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly keeper: RequestKeeper,
    private readonly repository: KeptRequestsRepository,
    private readonly execution: HookExecutionService,
    private readonly policy: KeptRequestsPolicy,
    private readonly clock: Clock,
    purge: Purge,
  ) {
    purge.register({
      rows: 'calls of incoming webhooks',
      retentionMs: () => RETENTION_MS,
      deleteBefore: (time, limit) => repository.deleteBefore(time, limit),
    });
  }

  async list(actor: Actor, hookId: string, page: Page): Promise<readonly KeptRequest[]> {
    await this.hooks.get(actor, hookId);
    await this.keeper.flush();
    return this.repository.list(hookId, page);
  }

  /** The webhooks of all teams that refused calls in the last day. */
  async refusing(): Promise<readonly RefusingHook[]> {
    await this.keeper.flush();
    return this.repository.refusing(this.clock.now() - DAY_MS, MAX_REFUSING);
  }

  /** Throws `permissionDenied` for a call that went where the actor may not read. */
  async get(actor: Actor, hookId: string, id: string): Promise<KeptRequest> {
    const hook = await this.hooks.get(actor, hookId);
    await this.keeper.flush();
    const request = await this.repository.find(hookId, id);
    if (!request) throw keptRequestNotFound();
    await this.policy.requireRead(actor, hook, request);
    return request;
  }

  /** Posts a kept call once more, by the webhook as it is now. Throws what the call itself would be refused with. */
  async replay(actor: Actor, hookId: string, id: string): Promise<Executed> {
    const { isCut, content } = await this.get(actor, hookId, id);
    if (isCut) throw keptRequestCut(MAX_BODY_BYTES);
    const { headers, body, encoding, queryPayload } = content;
    return this.execution.execute({
      hookId,
      contentType: headers['content-type'],
      body: Buffer.from(body, encoding),
      queryPayload,
      idempotencyKey: undefined,
    });
  }
}
