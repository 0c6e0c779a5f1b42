import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import type { Attachment } from '../../messaging/posts/content/attachments.js';
import {
  type Companions,
  IdempotencyService,
  type Outcome,
} from '../../messaging/posts/idempotency.service.js';
import type { PostDraft } from '../../messaging/posts/writer/write-request.js';
import { isRocketChatPath } from '../alias-paths.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { decodeFormat, type FormattedHook, PAYLOAD_FORMAT } from '../formats/formats.js';
import { TemplateError } from '../formats/template.js';
import { IncomingHooksRepository, originOf } from '../incoming-hooks.repository.js';
import { headersWithoutSecrets, type ReceivedCall, RequestKeeper } from '../kept-requests/request-keeper.js';
import { decodePayload, type IncomingPayload, type PayloadInput } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-forms.js';
import { decodeRocketChat } from '../payload/rocketchat-payload.js';
import type { RateHeaders } from './call-rates.js';
import { failures, payloadUndecodable } from './execution.errors.js';
import { MessageKeys } from '../messages/message-keys.service.js';
import { alone, MessageWriter } from '../messages/message-writer.js';
import { UsableHooks } from './usable-hooks.js';

export interface Execution extends ReceivedCall {
  readonly contentType: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly idempotencyKey: string | undefined;
  readonly received?: HttpRequest;
}

export interface Executed extends Outcome {
  readonly notUnderstood: number;
  readonly rate?: RateHeaders | undefined;
  /** Why nothing was posted. */
  readonly ignored?: string;
}

const MAX_KEY_LENGTH = 255;

type DecodedCall = PayloadInput & Pick<ReceivedCall, 'received'>;

/** A message to post through a hook. Absent fields mean the same as in a payload. */
export type HookMessage = Partial<Omit<IncomingPayload, 'key' | 'onKey'>> & {
  readonly attachments?: readonly Attachment[];
};

const EMPTY_PAYLOAD: IncomingPayload = {
  text: '',
  channel: '',
  username: '',
  iconUrl: '',
  iconEmoji: '',
  type: '',
  attachments: undefined,
  props: undefined,
};

/**
 * Posts through incoming webhooks, for received payloads and for other modules
 * (docs/contract/incoming-webhooks.md#posting). The posts of one payload are stored in one transaction.
 */
@Injectable()
export class HookPoster {
  constructor(
    private readonly usable: UsableHooks,
    private readonly hooks: IncomingHooksRepository,
    private readonly writer: MessageWriter,
    private readonly keys: MessageKeys,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly idempotency: IdempotencyService,
    private readonly metrics: MetricsService,
    private readonly keeper: RequestKeeper,
  ) {}

  /** Posts the payload of a request. Throws ExecutionFailed. */
  async execute(execution: Execution): Promise<Executed> {
    try {
      const outcome = await this.run(execution);
      const kind = outcome.ignored === undefined ? 'ok' : 'ignored';
      this.metrics.incomingHookExecuted(outcome.isReplay ? 'repeated' : kind);
      return outcome;
    } catch (error) {
      const refusal = error instanceof AppError && error.status < 500 ? error : undefined;
      this.metrics.incomingHookExecuted(refusal ? 'refused' : 'failed');
      throw error;
    }
  }

  /**
   * Posts a message through the hook and returns the post IDs. The posts join an open unit of work, so a
   * caller that records them there posts exactly once. Throws ExecutionFailed whenever a request to the hook
   * would be rejected.
   */
  async post(hookId: string, message: HookMessage): Promise<readonly string[]> {
    const payload = { ...EMPTY_PAYLOAD, ...message };
    const hook = await this.usable.require(await this.usable.find(hookId), payload);
    const postIds = await this.write(hook, payload, alone);
    this.unitOfWork.afterCommit(() => this.hooks.touch(hook.id, this.clock.now()));
    return postIds;
  }

  /** Dry run of `post`, with the same errors. No channel is set if `post` would create a direct channel. */
  async preview(hookId: string, payload: IncomingPayload): Promise<readonly PostDraft[]> {
    const hook = await this.usable.require(await this.usable.find(hookId), payload);
    return payload.ignored === undefined ? this.writer.preview(hook, payload) : [];
  }

  private async run(call: Execution): Promise<Executed> {
    const { hookId, received } = call;
    // A replay of a kept call is neither verified nor counted.
    const { hook: found, rate } = received
      ? await this.usable.admit(hookId, received, call.queryPayload !== undefined)
      : { hook: await this.usable.find(hookId), rate: undefined };
    // Other formats cost more, so a webhook that is out of use must not pay for them.
    if (found && found.format !== PAYLOAD_FORMAT) await this.usable.require(found);
    const payload = await decode(call, found);
    const hook = await this.usable.require(found, payload);
    const execution = { ...call, hookId: hook.id }; // the call may have used a previous URL
    const { ignored, notUnderstood = 0 } = payload;
    if (ignored !== undefined) {
      if (hook.keepRequests) this.keeper.ignored(execution, ignored);
      return { postIds: [], isReplay: false, notUnderstood, ignored, rate };
    }
    const outcome = await this.postOnce(hook, payload, execution.idempotencyKey);
    this.hooks.touch(hook.id, this.clock.now());
    if (hook.keepRequests) this.keeper.posted(execution, outcome.postIds, notUnderstood);
    return { ...outcome, notUnderstood, rate };
  }

  private async postOnce(
    hook: IncomingHook,
    payload: IncomingPayload,
    key: string | undefined,
  ): Promise<Outcome> {
    if (key === undefined) return { postIds: await this.write(hook, payload, alone), isReplay: false };
    if (key === '' || key.length > MAX_KEY_LENGTH) throw failures.badKey();
    return this.idempotency.once(`hook:${originOf(hook)}`, key, (companions) =>
      this.write(hook, payload, companions),
    );
  }

  /** Returns the IDs of the posts. */
  private async write(
    hook: IncomingHook,
    payload: IncomingPayload,
    companions: Companions,
  ): Promise<readonly string[]> {
    if (payload.key !== undefined) return this.keys.post(hook, payload.key, payload, companions);
    const posts = await this.writer.store(await this.writer.drafts(hook, payload), companions);
    return posts.map(({ id }) => id);
  }
}

/** Decodes a call in the format of its webhook. Throws ExecutionFailed with advice for the caller. */
export function decode(input: DecodedCall, hook: FormattedHook | null): Promise<IncomingPayload> {
  if (hook === null || hook.format === PAYLOAD_FORMAT)
    return decodeWith(isRocketChatPath(hook?.aliasPath ?? '') ? decodeRocketChat : decodePayload, input);
  const headers = headersWithoutSecrets(input.headers ?? {});
  const secretParameter = hook.verifier?.type === 'token' ? hook.verifier.query : '';
  const { [secretParameter]: _secret, ...query } = input.received?.query ?? {};
  return decodeWith((call) => decodeFormat(hook, { ...call, headers, query }), input);
}

/** Decodes a call with a decoder. Throws ExecutionFailed with advice for the caller. */
export async function decodeWith<T>(
  decoder: (input: PayloadInput) => T | Promise<T>,
  input: DecodedCall,
): Promise<T> {
  try {
    return await decoder(input);
  } catch (error) {
    if (error instanceof TemplateError) throw failures.template(error.message);
    if (!(error instanceof PayloadError)) throw error;
    const coding = input.received?.headers['content-encoding'];
    throw payloadUndecodable(error, coding !== undefined && coding !== 'identity');
  }
}
