import { Injectable } from '@nestjs/common';
import type { Channel } from '../../channels/channel.entity.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { visible } from '../../../platform/common/visible.js';
import { byteLength, runeLength } from '../../../platform/common/utf8.js';
import { PostsSettings } from '../posts.settings.js';
import { UsersService } from '../../users/users.service.js';
import type { Post } from '../post.entity.js';
import { type Attachment, builtAttachments } from '../content/attachments.js';
import {
  convertAttachments,
  convertText,
  Growth,
  mentionedUserIds,
  PropsTooLarge,
} from '../content/slack-text.js';
import { attachmentsOf, propsOfAuthor, propsOfSender, unreservedProps } from '../content/props.js';
import { pictureUrl } from '../content/safe-url.js';
import { type PostContent, splitContent } from '../content/split.js';
import { PostContentService } from '../post-content.service.js';
import type { PostDraft } from '../writer/write-request.js';
import type { WebhookMessage } from './webhook-message.js';

const MAX_PRIORITY_LENGTH = 64;
const TYPE = /^(|slack_attachment|me|custom_.{1,19})$/su;

/** The author of a webhook's posts, and the default name and icon. */
export interface WebhookSource {
  readonly ownerId: string;
  readonly displayName: string;
  readonly username: string;
  readonly iconUrl: string;
}

/** New content of a message that was already posted. */
export interface WebhookChange {
  readonly message: WebhookMessage;
  /** Whether it replaces the text and the attachments; what is absent otherwise stays. */
  readonly hasText: boolean;
  readonly hasAttachments: boolean;
}

type GivenSender = Pick<WebhookMessage, 'username' | 'iconUrl'> & Partial<Pick<WebhookMessage, 'iconEmoji'>>;

type Place = Pick<Channel, 'id' | 'teamId' | 'type'>;

/** Thrown when a message is well-formed but must not be posted. */
export class WebhookMessageRefused extends Error {
  override readonly name = 'WebhookMessageRefused';
  constructor(override readonly cause: 'noPriority' | 'systemType' | 'unknownType' | 'propsTooLarge') {
    super(`The message was refused: ${cause}.`);
  }
}

/** Converts webhook messages to posts, splitting long content (docs/contract/incoming-webhooks.md#text). */
@Injectable()
export class WebhookPostsService {
  constructor(
    private readonly settings: PostsSettings,
    private readonly users: UsersService,
    private readonly content: PostContentService,
  ) {}

  /** Returns the posts for one message, in order, each with these fields. Throws WebhookMessageRefused. */
  async drafts(
    source: WebhookSource,
    channel: Place,
    message: WebhookMessage,
    fields: Partial<PostDraft>,
  ): Promise<PostDraft[]> {
    requireValidType(message);
    const { text, attachments } = await this.converted(message);
    const type = attachments ? 'slack_attachment' : message.type;
    const owner = await this.users.find(source.ownerId);
    const props = { ...this.props(source, message), ...propsOfAuthor(owner) };
    const pieces = asRefusalIfTooLarge(() => splitContent({ message: text, props, attachments }));
    const metadata = message.priority && { metadata: { priority: message.priority } };
    return this.enriched(source.ownerId, channel, pieces, type, { ...metadata, ...fields });
  }

  /** Returns the pieces of a posted message after a change, given those before it. Throws WebhookMessageRefused. */
  async revised(
    [first, ...others]: readonly [Post, ...Post[]],
    channel: Place,
    { message, hasText, hasAttachments }: WebhookChange,
  ): Promise<PostDraft[]> {
    const converted = await this.converted(message);
    const kept = [first, ...others].flatMap((post) => attachmentsOf(post.props));
    const attachments = hasAttachments ? (converted.attachments ?? []) : kept;
    const content = message.props ? unreservedProps(message.props) : first.props;
    const overrides = this.overrides(message);
    const props = { ...content, ...propsOfSender(first.props), ...overrides };
    // It would hide the new picture.
    if ('override_icon_url' in overrides && !('override_icon_emoji' in overrides))
      delete props['override_icon_emoji'];
    const text = hasText ? converted.text : '';
    const pieces = asRefusalIfTooLarge(() => splitContent({ message: text, props, attachments }));
    // Kept texts stay split as they are, since a piece may have repeated the fences of a code block.
    const texts = hasText ? [] : [first, ...others].flatMap((post) => post.message || []);
    const last = texts.pop();
    asRefusalIfTooLarge(() => new Growth().add(texts.length * byteLength(JSON.stringify(props))));
    if (last !== undefined) pieces.splice(0, 1, { props, ...pieces[0], message: last });
    pieces.unshift(...texts.map((one) => ({ message: one, props: withoutAttachments(props) })));
    const plainType = first.type === 'slack_attachment' ? '' : first.type;
    return this.enriched(
      first.userId,
      channel,
      pieces,
      attachments.length > 0 ? 'slack_attachment' : plainType,
    );
  }

  private async enriched(
    userId: string,
    channel: Place,
    pieces: readonly PostContent[],
    type: string,
    fields: Partial<PostDraft> = {},
  ): Promise<PostDraft[]> {
    const drafts: PostDraft[] = [];
    for (const { message, props } of pieces) {
      const raw = { channel, authorId: userId, message, props, type, isHook: true };
      const enriched = await this.content.enrich(raw);
      drafts.push({ userId, channelId: channel.id, message, type, ...enriched, ...fields });
    }
    return drafts;
  }

  private props(source: WebhookSource, message: WebhookMessage): JsonObject {
    const props = unreservedProps(message.props ?? {});
    props['from_webhook'] = 'true';
    props['webhook_display_name'] = visible(source.displayName);
    if (this.settings.enablePostUsernameOverride) props['override_username'] = 'webhook';
    return this.overrides(message, this.overrides(source, props));
  }

  /** Adds the names and pictures that are given, as far as the settings allow them. */
  private overrides(given: GivenSender, props: Record<string, unknown> = {}): Record<string, unknown> {
    const { enablePostUsernameOverride, enablePostIconOverride } = this.settings;
    const username = visible(given.username);
    if (enablePostUsernameOverride && username !== '') props['override_username'] = username;
    if (!enablePostIconOverride) return props;
    const iconUrl = pictureUrl(visible(given.iconUrl));
    if (iconUrl !== '') props['override_icon_url'] = iconUrl;
    const iconEmoji = visible(given.iconEmoji ?? '');
    if (iconEmoji !== '') props['override_icon_emoji'] = iconEmoji;
    return props;
  }

  private async converted({
    text,
    attachments: sent,
  }: WebhookMessage): Promise<{ text: string; attachments: Attachment[] | undefined }> {
    const attachments = sent && asRefusalIfTooLarge(() => builtAttachments(sent));
    const ids = mentionedUserIds(text, attachments);
    const users = ids.length === 0 ? [] : await this.users.findAll(ids);
    const usernames = new Map(users.map((user) => [user.id, user.username]));
    const usernameOf = (id: string): string | undefined => usernames.get(id);
    return {
      text: convertText(text, usernameOf),
      attachments: attachments && convertAttachments(attachments, usernameOf),
    };
  }
}

function withoutAttachments({ attachments: _moved, ...props }: JsonObject): JsonObject {
  return props;
}

function asRefusalIfTooLarge<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof PropsTooLarge ? new WebhookMessageRefused('propsTooLarge') : error;
  }
}

/** Throws WebhookMessageRefused. Attachments override the type, so an unknown type is allowed with them. */
function requireValidType(message: WebhookMessage): void {
  const priority = message.priority?.priority;
  if (message.priority && (priority === undefined || runeLength(priority) > MAX_PRIORITY_LENGTH))
    throw new WebhookMessageRefused('noPriority');
  if (message.type.startsWith('system_')) throw new WebhookMessageRefused('systemType');
  if (!message.attachments && !TYPE.test(message.type)) throw new WebhookMessageRefused('unknownType');
}
