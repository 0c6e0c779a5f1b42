import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import type { Attachment } from '../../messaging/posts/content/attachments.js';
import {
  type Companions,
  IdempotencyService,
  type Outcome,
} from '../../messaging/posts/idempotency.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import {
  WebhookMessageRefused,
  WebhookPostsService,
} from '../../messaging/posts/webhook/webhook-posts.service.js';
import { type PostDraft, sizeOfDrafts } from '../../messaging/posts/writer/write-request.js';
import { PostWriter } from '../../messaging/posts/writer/post-writer.js';
import { OwnerStates } from '../../messaging/owners/owner-states.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { IncomingHooksRepository, ownedBy } from '../incoming-hooks.repository.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';
import { decodeFormat, PAYLOAD_FORMAT } from '../formats/formats.js';
import { TemplateError } from '../formats/template.js';
import { headersWithoutSecrets, type ReceivedCall, RequestKeeper } from '../kept-requests/request-keeper.js';
import { decodePayload, type IncomingPayload, type PayloadInput } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-forms.js';
import { failures, hookOrphaned, payloadUndecodable } from './execution.errors.js';
import { TargetChannel } from './target-channel.js';

export interface Execution extends ReceivedCall {
  readonly contentType: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The headers of a repeated call, which was not received now. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Executed extends Outcome {
  readonly notUnderstood: number;
  /** Why nothing was posted. */
  readonly ignored?: string;
}

const MAX_KEY_LENGTH = 255;

/** A message to post through a hook. Absent fields mean the same as in a payload. */
export type HookMessage = Partial<IncomingPayload> & { readonly attachments?: readonly Attachment[] };

type PostTarget = Pick<Channel, 'id' | 'teamId' | 'type'>;

const NEW_DIRECT_CHANNEL: PostTarget = { id: '', teamId: '', type: 'D' };

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
    private readonly settings: IncomingHooksSettings,
    private readonly hooks: IncomingHooksRepository,
    private readonly owners: OwnerStates,
    private readonly target: TargetChannel,
    private readonly posts: WebhookPostsService,
    private readonly writer: PostWriter,
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
    const hook = await this.require(await this.hooks.findCached(hookId), payload);
    const posts = await this.write(hook, payload);
    this.unitOfWork.afterCommit(() => this.hooks.touch(hook.id, this.clock.now()));
    return posts.map(({ id }) => id);
  }

  /** Dry run of `post`, with the same errors. No channel is set if `post` would create a direct channel. */
  async preview(hookId: string, payload: IncomingPayload): Promise<readonly PostDraft[]> {
    const hook = await this.require(await this.hooks.findCached(hookId), payload);
    if (payload.ignored !== undefined) return [];
    const channel = await this.target.existing(hook, payload.channel);
    return this.draftsFor(hook, channel ?? NEW_DIRECT_CHANNEL, payload);
  }

  private async run(execution: Execution): Promise<Executed> {
    const found = await this.hooks.findCached(execution.hookId);
    const payload = await decode(execution, found);
    const hook = await this.require(found, payload);
    const { ignored, notUnderstood = 0 } = payload;
    if (ignored !== undefined) {
      if (hook.keepRequests) this.keeper.ignored(execution, ignored);
      return { postIds: [], isReplay: false, notUnderstood, ignored };
    }
    const outcome = await this.postOnce(hook, payload, execution.idempotencyKey);
    this.hooks.touch(hook.id, this.clock.now());
    if (hook.keepRequests) this.keeper.posted(execution, outcome.postIds, notUnderstood);
    return { ...outcome, notUnderstood };
  }

  private async postOnce(
    hook: IncomingHook,
    payload: IncomingPayload,
    key: string | undefined,
  ): Promise<Outcome> {
    const create = (companions?: Companions): Promise<readonly Post[]> =>
      this.write(hook, payload, companions);
    if (key === undefined) return { postIds: (await create()).map((post) => post.id), isReplay: false };
    if (key === '' || key.length > MAX_KEY_LENGTH) throw failures.badKey();
    return this.idempotency.once(`hook:${hook.id}`, key, create);
  }

  /** Returns the hook. Throws ExecutionFailed if it is missing or disabled, or there is nothing to post. */
  private async require(hook: IncomingHook | null, payload: IncomingPayload): Promise<IncomingHook> {
    if (!this.settings.enableIncomingWebhooks) throw failures.disabled();
    if (payload.unknownBlocks) throw failures.unknownBlocks(payload.unknownBlocks);
    if (payload.text === '' && !payload.attachments && payload.ignored === undefined) throw failures.noText();
    if (!hook) throw failures.unknownHook();
    if (await this.owners.isStopped(ownedBy(hook))) throw hookOrphaned();
    return hook;
  }

  private async write(
    hook: IncomingHook,
    payload: IncomingPayload,
    companions?: Companions,
  ): Promise<readonly Post[]> {
    const drafts = await this.drafts(hook, payload);
    return this.writer.write({
      drafts,
      origin: 'hook',
      sizeBytes: sizeOfDrafts(drafts),
      ...(companions ? { companions } : {}),
    });
  }

  private async drafts(hook: IncomingHook, payload: IncomingPayload): Promise<PostDraft[]> {
    const channel = await this.target.existing(hook, payload.channel);
    if (channel) return this.draftsFor(hook, channel, payload);
    // A new direct channel must be rolled back if the message is rejected.
    return this.unitOfWork.run(async () =>
      this.draftsFor(hook, await this.target.resolve(hook, payload.channel), payload),
    );
  }

  private async draftsFor(
    hook: IncomingHook,
    channel: PostTarget,
    payload: IncomingPayload,
  ): Promise<PostDraft[]> {
    try {
      return await this.posts.drafts({ ...hook, ownerId: hook.userId }, channel, payload);
    } catch (error) {
      throw error instanceof WebhookMessageRefused ? failures[error.cause]() : error;
    }
  }
}

/** Decodes a call in the format of its webhook. Throws ExecutionFailed with advice for the caller. */
export async function decode(
  input: PayloadInput & Pick<Execution, 'received' | 'headers'>,
  hook: Pick<IncomingHook, 'format' | 'template'> | null,
): Promise<IncomingPayload> {
  try {
    if (hook === null || hook.format === PAYLOAD_FORMAT) return await decodePayload(input);
    const { headers = headersWithoutSecrets(input.received?.headers ?? {}) } = input;
    return await decodeFormat(hook, { ...input, headers, query: input.received?.query ?? {} });
  } catch (error) {
    if (error instanceof TemplateError) throw failures.template(error.message);
    if (!(error instanceof PayloadError)) throw error;
    const coding = input.received?.headers['content-encoding'];
    throw payloadUndecodable(error, coding !== undefined && coding !== 'identity');
  }
}
