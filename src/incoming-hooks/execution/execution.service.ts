import { Injectable } from '@nestjs/common';
import type { Channel } from '../../channels/channel.entity.js';
import { Clock } from '../../common/clock.js';
import { AppError } from '../../common/errors/app-error.js';
import type { JsonObject } from '../../common/json.js';
import { MetricsService } from '../../metrics/metrics.service.js';
import { Settings } from '../../config/settings.js';
import { type Companions, IdempotencyService, type Outcome } from '../../posts/idempotency.service.js';
import { convertAttachments, convertText, mentionedUserIds } from '../../posts/content/slack-text.js';
import { PropsTooLarge, splitContent } from '../../posts/content/split.js';
import { PostContentService } from '../../posts/post-content.service.js';
import type { Post } from '../../posts/post.entity.js';
import { PostWriter } from '../../posts/writer/post-writer.js';
import type { PostDraft } from '../../posts/writer/write-request.js';
import { UsersService } from '../../users/users.service.js';
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
const RESERVED_PROPS = new Set(['override_username', 'override_icon_url', 'from_webhook']);
const TYPE = /^(|slack_attachment|me|custom_.{1,19})$/su;

/** Turns a payload into posts (spec/webhooks.md 11). All posts of one payload are stored together, or none. */
@Injectable()
export class ExecutionService {
  constructor(
    private readonly settings: Settings,
    private readonly hooks: IncomingHooksService,
    private readonly target: TargetChannel,
    private readonly users: UsersService,
    private readonly content: PostContentService,
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
    const outcome = await this.post(hook, payload, execution);
    this.hooks.touch(hook.id, this.clock.now());
    return outcome;
  }

  private async decode(execution: Execution): Promise<IncomingPayload> {
    try {
      const { contentType, body, queryPayload } = execution;
      return await decodePayload({
        body,
        ...(contentType === undefined ? {} : { contentType }),
        ...(queryPayload === undefined ? {} : { queryPayload }),
      });
    } catch (error) {
      throw error instanceof PayloadError ? new PayloadUndecodable(error) : error;
    }
  }

  private async post(hook: IncomingHook, payload: IncomingPayload, execution: Execution): Promise<Outcome> {
    const { idempotencyKey: key, body } = execution;
    const create = async (companions?: Companions): Promise<Post[]> =>
      this.writer.write({
        drafts: await this.drafts(hook, payload),
        origin: 'hook',
        sizeBytes: body.length + 1024,
        ...(companions ? { companions } : {}),
      });
    if (key === undefined) return { postIds: (await create()).map((post) => post.id), isReplay: false };
    if (key === '' || key.length > MAX_KEY_LENGTH) throw failures.badKey();
    return this.idempotency.once(`hook:${hook.id}`, key, create);
  }

  private async drafts(hook: IncomingHook, payload: IncomingPayload): Promise<PostDraft[]> {
    const channel = await this.target.resolve(hook, payload.channel);
    requireValidType(payload);
    const usernames = await this.usernamesIn(payload);
    const message = convertText(payload.text, (id) => usernames.get(id));
    const attachments =
      payload.attachments && convertAttachments(payload.attachments, (id) => usernames.get(id));
    const type = attachments ? 'slack_attachment' : payload.type;
    const drafts: PostDraft[] = [];
    for (const piece of this.split(message, this.props(hook, payload), attachments)) {
      drafts.push(await this.draft(hook, channel, payload, type, piece.message, piece.props));
    }
    return drafts;
  }

  private async draft(
    hook: IncomingHook,
    channel: Channel,
    payload: IncomingPayload,
    type: string,
    message: string,
    props: JsonObject,
  ): Promise<PostDraft> {
    const { mentions, ...enriched } = await this.content.enrich({
      teamId: channel.teamId,
      authorId: hook.userId,
      channelId: channel.id,
      channelType: channel.type,
      message,
      props,
      type,
      isHook: true,
    });
    return {
      userId: hook.userId,
      channelId: channel.id,
      message,
      type,
      ...enriched,
      ...(mentions ? { mentions } : {}),
      ...(payload.priority ? { metadata: { priority: payload.priority } } : {}),
    };
  }

  private split(message: string, props: JsonObject, attachments: IncomingPayload['attachments']) {
    try {
      return splitContent({ message, props, attachments });
    } catch (error) {
      throw error instanceof PropsTooLarge ? failures.propsTooLarge() : error;
    }
  }

  /** The props of the post (spec/webhooks.md 11.6). */
  private props(hook: IncomingHook, payload: IncomingPayload): JsonObject {
    const props: JsonObject = {};
    for (const [name, value] of Object.entries(payload.props ?? {})) {
      if (!RESERVED_PROPS.has(name) && name !== '__proto__') props[name] = value;
    }
    props['from_webhook'] = 'true';
    props['webhook_display_name'] = hook.displayName;
    if (this.settings.enablePostUsernameOverride) {
      props['override_username'] = payload.username || hook.username || 'webhook';
    }
    if (this.settings.enablePostIconOverride) {
      const iconUrl = payload.iconUrl || hook.iconUrl;
      if (iconUrl !== '') props['override_icon_url'] = iconUrl;
      if (payload.iconEmoji !== '') props['override_icon_emoji'] = payload.iconEmoji;
    }
    return props;
  }

  private async usernamesIn(payload: IncomingPayload): Promise<ReadonlyMap<string, string>> {
    const usernames = new Map<string, string>();
    for (const id of mentionedUserIds(payload.text, payload.attachments)) {
      const user = await this.users.find(id);
      if (user) usernames.set(id, user.username);
    }
    return usernames;
  }
}

/** Steps 13 and 14. Attachments replace the type, so that a wrong one does no harm then. */
function requireValidType(payload: IncomingPayload): void {
  if (payload.priority && payload.priority.priority === undefined) throw failures.noPriority();
  if (payload.type.startsWith('system_')) throw failures.systemType();
  if (!payload.attachments && !TYPE.test(payload.type)) throw failures.unknownType();
}
