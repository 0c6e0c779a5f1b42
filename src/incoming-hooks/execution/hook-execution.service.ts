import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import {
  type Companions,
  IdempotencyService,
  type Outcome,
} from '../../messaging/posts/idempotency.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { IncomingHooksService } from '../incoming-hooks.service.js';
import { type ReceivedCall, RequestKeeper } from '../kept-requests/request-keeper.js';
import { decodePayload, type IncomingPayload, type PayloadInput } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-forms.js';
import { failures, payloadUndecodable } from './execution.errors.js';
import { HookPoster } from './hook-poster.js';

/** A request to a hook. */
export interface Execution extends ReceivedCall {
  readonly contentType: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** The posts of a payload. */
export interface Executed extends Outcome {
  /** Number of blocks in the payload that were not understood. */
  readonly notUnderstood: number;
}

const MAX_KEY_LENGTH = 255;

/**
 * Posts the payload of a request (docs/contract/incoming-webhooks.md#posting). The posts of one payload are
 * stored in one transaction.
 */
@Injectable()
export class HookExecutionService {
  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly poster: HookPoster,
    private readonly idempotency: IdempotencyService,
    private readonly clock: Clock,
    private readonly metrics: MetricsService,
    private readonly keeper: RequestKeeper,
  ) {}

  async execute(execution: Execution): Promise<Executed> {
    try {
      const outcome = await this.run(execution);
      this.metrics.incomingHookExecuted(outcome.isReplay ? 'repeated' : 'ok');
      return outcome;
    } catch (error) {
      const refusal = error instanceof AppError && error.status < 500 ? error : undefined;
      this.metrics.incomingHookExecuted(refusal ? 'refused' : 'failed');
      throw error;
    }
  }

  private async run(execution: Execution): Promise<Executed> {
    const payload = await decode(execution);
    const hook = await this.poster.get(execution.hookId, payload);
    const outcome = await this.post(hook, payload, execution.idempotencyKey);
    this.hooks.touch(hook.id, this.clock.now());
    const { notUnderstood = 0 } = payload;
    if (hook.keepRequests) this.keeper.posted(execution, outcome.postIds, notUnderstood);
    return { ...outcome, notUnderstood };
  }

  private async post(
    hook: IncomingHook,
    payload: IncomingPayload,
    key: string | undefined,
  ): Promise<Outcome> {
    const create = (companions?: Companions): Promise<readonly Post[]> =>
      this.poster.write(hook, payload, companions);
    if (key === undefined) return { postIds: (await create()).map((post) => post.id), isReplay: false };
    if (key === '' || key.length > MAX_KEY_LENGTH) throw failures.badKey();
    return this.idempotency.once(`hook:${hook.id}`, key, create);
  }
}

/** Decodes the payload of a call. Throws payloadUndecodable with advice for the caller. */
export async function decode(input: PayloadInput & Pick<ReceivedCall, 'received'>): Promise<IncomingPayload> {
  try {
    return await decodePayload(input);
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    const coding = input.received?.headers['content-encoding'];
    throw payloadUndecodable(error, coding !== undefined && coding !== 'identity');
  }
}
