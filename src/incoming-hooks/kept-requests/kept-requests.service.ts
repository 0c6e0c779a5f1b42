import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/common/errors/app-error.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { Clock } from '../../platform/common/clock.js';
import type { Page } from '../../platform/common/dto/params.js';
import { Purge } from '../../platform/database/purge.js';
import { type Executed, HookPoster } from '../execution/hook-poster.js';
import { IncomingHooksService } from '../incoming-hooks.service.js';
import { MAX_BODY_BYTES, RequestKeeper } from './request-keeper.js';
import type { KeptRequest } from './kept-request.entity.js';
import { KeptRequestsRepository, type RefusingHook } from './kept-requests.repository.js';
import { KeptRequestsPolicy } from './kept-requests.policy.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { IncomingHookDeleted } from '../incoming-hooks.events.js';

/** The call belongs to another webhook, was never kept, or has been dropped. */
const keptRequestNotFound = () =>
  new AppError(
    404,
    'app.webhooks.get_incoming_request.app_error',
    'The call is not kept. Newer calls replace older ones, and each is deleted after seven days.',
  );

const keptRequestCut = (limitBytes: number) =>
  new AppError(
    400,
    'app.webhooks.replay_incoming_request.cut.app_error',
    `This call cannot be repeated: at most ${limitBytes} bytes of a body are kept, and none if it was refused unread. Send it again from its origin.`,
  );

const DAY_MS = 24 * 60 * 60 * 1000;
const RETENTION_MS = 7 * DAY_MS;
export const MAX_REFUSING = 60;

/** Shows and replays kept calls for webhook managers (docs/contract/incoming-webhooks.md#kept-calls). */
@Injectable()
export class KeptRequestsService {
  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly keeper: RequestKeeper,
    private readonly repository: KeptRequestsRepository,
    private readonly poster: HookPoster,
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

  async refusing(): Promise<readonly RefusingHook[]> {
    this.hooks.requireEnabled();
    await this.keeper.flush();
    return this.repository.refusing(this.clock.now() - DAY_MS, MAX_REFUSING);
  }

  /** Throws `permissionDenied` if the call targeted a channel that the actor may not read. */
  async get(actor: Actor, hookId: string, id: string): Promise<KeptRequest> {
    const hook = await this.hooks.get(actor, hookId);
    await this.keeper.flush();
    const request = await this.repository.find(hookId, id);
    if (!request) throw keptRequestNotFound();
    await this.policy.requireRead(actor, hook, request);
    return request;
  }

  /** Posts a kept call again with the webhook's current state. Throws the same errors as the call itself. */
  async replay(actor: Actor, hookId: string, id: string): Promise<Executed> {
    const { isCut, content } = await this.get(actor, hookId, id);
    if (isCut) throw keptRequestCut(MAX_BODY_BYTES);
    const { headers, body, encoding, queryPayload } = content;
    return this.poster.execute({
      hookId,
      contentType: headers['content-type'],
      headers,
      body: Buffer.from(body, encoding),
      queryPayload,
      idempotencyKey: undefined,
    });
  }

  /** Deletes a webhook's kept calls in the transaction that deletes the webhook. */
  @InTransaction(IncomingHookDeleted)
  onHookDeleted({ hookId }: IncomingHookDeleted): Promise<void> {
    return this.repository.deleteOfHook(hookId);
  }
}
