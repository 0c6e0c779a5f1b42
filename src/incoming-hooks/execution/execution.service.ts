import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { IncomingHooksSettings } from '../incoming-hooks.settings.js';
import {
  type Companions,
  IdempotencyService,
  type Outcome,
} from '../../messaging/posts/idempotency.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { sizeOfDrafts } from '../../messaging/posts/writer/draft-size.js';
import { PostWriter } from '../../messaging/posts/writer/post-writer.js';
import {
  WebhookMessageRefused,
  WebhookPostsService,
} from '../../messaging/posts/webhook/webhook-posts.service.js';
import type { PostDraft } from '../../messaging/posts/writer/write-request.js';
import type { IncomingHook } from '../incoming-hook.entity.js';
import { IncomingHooksService } from '../incoming-hooks.service.js';
import type { IncomingPayload } from '../payload/incoming-payload.js';
import { decodePayload } from '../payload/payload-decoder.js';
import { PayloadError } from '../payload/payload-error.js';
import { failures, PayloadUndecodable } from './execution.errors.js';
import { TargetChannel } from './target-channel.js';

/** A call of a hook as it came in. */
export interface Execution {
  readonly hookId: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly queryPayload: string | undefined;
  readonly idempotencyKey: string | undefined;
}

const MAX_KEY_LENGTH = 255;

/**
 * Turns a payload into posts (docs/contract/incoming-webhooks.md#posting). All posts of one payload are stored
 * together, or none.
 */
@Injectable()
export class ExecutionService {
  constructor(
    private readonly settings: IncomingHooksSettings,
    private readonly hooks: IncomingHooksService,
    private readonly target: TargetChannel,
    private readonly posts: WebhookPostsService,
    private readonly writer: PostWriter,
    private readonly idempotency: IdempotencyService,
    private readonly clock: Clock,
    private readonly metrics: MetricsService,
  ) {}

  async execute(execution: Execution): Promise<Outcome> {
    try {
      const outcome = await this.run(execution);
      this.metrics.incomingHookExecuted(outcome.isReplay ? 'repeated' : 'ok');
      return outcome;
    } catch (error) {
      const isRefusal = error instanceof AppError && error.status < 500;
      this.metrics.incomingHookExecuted(isRefusal ? 'refused' : 'failed');
      throw error;
    }
  }

  private async run(execution: Execution): Promise<Outcome> {
    const payload = await this.decode(execution);
    if (!this.settings.enableIncomingWebhooks) throw failures.disabled();
    if (payload.text === '' && !payload.attachments) throw failures.noText();
    const hook = await this.hooks.find(execution.hookId);
    if (!hook) throw failures.unknownHook();
    const outcome = await this.post(hook, payload, execution.idempotencyKey);
    this.hooks.touch(hook.id, this.clock.now());
    return outcome;
  }

  private async decode(execution: Execution): Promise<IncomingPayload> {
    try {
      const { contentType, body, queryPayload } = execution;
      return await decodePayload({ body, contentType, queryPayload });
    } catch (error) {
      throw error instanceof PayloadError ? new PayloadUndecodable(error) : error;
    }
  }

  private async post(
    hook: IncomingHook,
    payload: IncomingPayload,
    key: string | undefined,
  ): Promise<Outcome> {
    const create = async (companions?: Companions): Promise<Post[]> => {
      const drafts = await this.drafts(hook, payload);
      return this.writer.write({
        drafts,
        origin: 'hook',
        sizeBytes: sizeOfDrafts(drafts),
        ...(companions ? { companions } : {}),
      });
    };
    if (key === undefined) return { postIds: (await create()).map((post) => post.id), isReplay: false };
    if (key === '' || key.length > MAX_KEY_LENGTH) throw failures.badKey();
    return this.idempotency.once(`hook:${hook.id}`, key, create);
  }

  private async drafts(hook: IncomingHook, payload: IncomingPayload): Promise<PostDraft[]> {
    const channel = await this.target.resolve(hook, payload.channel);
    try {
      return await this.posts.drafts({ ...hook, ownerId: hook.userId }, channel, payload);
    } catch (error) {
      throw error instanceof WebhookMessageRefused ? failures[error.cause]() : error;
    }
  }
}
