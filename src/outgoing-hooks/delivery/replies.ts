import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import { foldKeys, isJsonObject, JsonDecodeError, NulCharacterError } from '../../platform/common/json.js';
import { decodeText, MediaTypeError, parseMediaType } from '../../platform/common/media-type.js';
import { LARGE_REPLY_BYTES, type Receipt } from '../../delivery/dispatch/delivery-kind.js';
import type { Delivery } from '../../delivery/dispatch/delivery.entity.js';
import type { OutboundReply } from '../../delivery/outbound/outbound-client.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import {
  decodeLenientJson,
  readWebhookMessage,
  type WebhookMessage,
  WebhookMessageError,
} from '../../messaging/posts/webhook/webhook-message.js';
import {
  WebhookMessageRefused,
  WebhookPostsService,
  type WebhookSource,
} from '../../messaging/posts/webhook/webhook-posts.service.js';
import { sizeOfDrafts } from '../../messaging/posts/writer/write-request.js';
import { PostWriter } from '../../messaging/posts/writer/post-writer.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { Settings } from '../../platform/config/settings.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { type EventRefusal, EventRights } from '../events/event-rights.js';

const NO_POST: Receipt = { note: '' };

const REFUSALS: Readonly<Record<WebhookMessageRefused['cause'], string>> = {
  noPriority: 'priority.priority is missing or too long',
  systemType: 'type must not begin with system_',
  unknownType: 'type must be empty, slack_attachment, me, or begin with custom_',
  propsTooLarge: 'props are too large',
};

const PAUSED: Readonly<Record<EventRefusal, string>> = {
  creator_cannot_read: 'the creator of the webhook can no longer read the channel',
  not_permitted: 'the creator of the webhook may no longer receive this event',
  orphaned: 'the creator of the webhook is deactivated or has left the team',
  setter_cannot_read:
    'the user who last set the channel or URLs of the webhook can no longer read the channel',
};

interface RequestedPost {
  readonly message: WebhookMessage;
  /** Whether to post it in the thread of the triggering post. */
  readonly isComment: boolean;
}

/**
 * Posts the replies of receivers (docs/contract/outgoing-webhooks.md#replies), in one transaction with the outcome of
 * the delivery. If a reply cannot be posted, the note of the attempt says why.
 */
@Injectable()
export class Replies {
  /** Large replies are read and stored one at a time, because each takes long. */
  private readonly large = pLimit(1);

  constructor(
    private readonly channels: ChannelsService,
    private readonly rights: EventRights,
    private readonly posts: PostsService,
    private readonly webhookPosts: WebhookPostsService,
    private readonly writer: PostWriter,
    private readonly settings: Settings,
    private readonly users: UsersService,
  ) {}

  /** Parses a reply. The receipt stores the posts that it requests, if any. */
  async receive(hook: OutgoingHook, delivery: Delivery, reply: OutboundReply): Promise<Receipt> {
    const { maxPayloadBytes } = this.settings;
    if (reply.isCut || reply.body.length > maxPayloadBytes)
      return refused(`it is larger than ${maxPayloadBytes} bytes`);
    const read = (): Promise<Receipt> => this.read(hook, delivery, reply);
    if (reply.body.length <= LARGE_REPLY_BYTES) return read();
    const alone = <T>(work: () => Promise<T>): Promise<T> =>
      this.large(async () => {
        await setImmediate(); // requests go first
        return work();
      });
    const { store, ...receipt } = await alone(read);
    return store ? { ...receipt, store: (outcome) => alone(() => store(outcome)) } : receipt;
  }

  private async read(hook: OutgoingHook, delivery: Delivery, reply: OutboundReply): Promise<Receipt> {
    if (reply.body.length === 0) return NO_POST;
    try {
      const media = parseMediaType(reply.headers['content-type']);
      const text = decodeText(reply.body, media?.parameters.get('charset'));
      if (text.trim() === '') return NO_POST;
      const requested = parseReply(text);
      if (!requested) return NO_POST;
      if (delivery.replyPostId !== '') return { note: 'The reply to an earlier attempt was already posted.' };
      return await this.post(hook, delivery, requested);
    } catch (error) {
      if (error instanceof NulCharacterError)
        return refused(`${error.path || 'it'} contains a NUL character, which is not allowed`);
      if (error instanceof MediaTypeError) return refused(`its Content-Type: ${error.message}`);
      if (error instanceof JsonDecodeError) return refused('it is not JSON');
      if (error instanceof WebhookMessageError) return refused(error.message);
      if (error instanceof WebhookMessageRefused) return refused(REFUSALS[error.cause]);
      throw error;
    }
  }

  private async post(hook: OutgoingHook, delivery: Delivery, requested: RequestedPost): Promise<Receipt> {
    const { channel_id: channelId, event, post_id: postId } = delivery.body;
    const { root_id: root, bot_user_id: botId, hops = 0 } = delivery.body;
    if (typeof channelId !== 'string') return refused('the event has no channel');
    const channel = await this.channels.find(channelId);
    if (!channel || (await this.channels.isArchived(channel)))
      return refused('the channel or its team is archived');
    const paused = await this.rights.refusal(hook, delivery.body);
    if (paused) return refused(PAUSED[paused]);
    const isComment = requested.isComment || event === 'bot.mentioned' || Boolean(root && botId);
    if (isComment && typeof postId !== 'string') return refused('the event has no message to comment on');
    const trigger = isComment ? await this.posts.findLive(delivery.subjectId) : null;
    if (isComment && !trigger) return refused('the post it replies to is deleted');
    const rootId = trigger ? trigger.rootId || trigger.id : '';
    const source = await this.sourceOf(hook, botId);
    const drafts = await this.webhookPosts.drafts(source, channel, requested.message, { rootId });
    return {
      note: 'The reply was posted.',
      store: async (outcome) => {
        await this.writer.write({
          drafts,
          origin: 'hook',
          sizeBytes: sizeOfDrafts(drafts),
          statements: ([postId]) => outcome(postId),
          hops: Number(hops) + 1,
        });
      },
    };
  }

  /** Replies to bot events are posts of the bot under its own name. */
  private async sourceOf(hook: OutgoingHook, botId: unknown): Promise<WebhookSource> {
    const { creatorId, displayName, username, iconUrl } = hook;
    const source = { ownerId: creatorId, displayName, username, iconUrl };
    if (typeof botId !== 'string') return source;
    const bot = await this.users.get(botId);
    return { ...source, ownerId: botId, username: username || bot.username };
  }
}

/** The post that a reply requests; undefined if it has neither text nor attachments. */
function parseReply(text: string): RequestedPost | undefined {
  const document = decodeLenientJson(text);
  if (document === null) return undefined;
  if (!isJsonObject(document)) throw new WebhookMessageError('it must be a JSON object');
  const fields = foldKeys(document);
  const message = readWebhookMessage(fields);
  if (message.unknownBlocks)
    throw new WebhookMessageError(`none of its blocks can be shown (${message.unknownBlocks.join(', ')})`);
  const hasText = typeof fields['text'] === 'string' || message.text !== '';
  if (!hasText && !message.attachments) return undefined;
  return { message: { ...message, iconEmoji: '' }, isComment: fields['response_type'] === 'comment' };
}

function refused(reason: string): Receipt {
  return { note: `The reply was not posted: ${reason.replace(/\.$/, '')}.` };
}
