import { Injectable } from '@nestjs/common';
import type { Channel } from '../../channels/channel.entity.js';
import type { JsonObject } from '../../../platform/common/json.js';
import { visible } from '../../../platform/common/visible.js';
import { runeLength } from '../../../platform/common/utf8.js';
import { PostsSettings } from '../posts.settings.js';
import { UsersService } from '../../users/users.service.js';
import { type Attachment, builtAttachments } from '../content/attachments.js';
import { convertAttachments, convertText, mentionedUserIds, PropsTooLarge } from '../content/slack-text.js';
import { propsOfAuthor, unreservedProps } from '../content/props.js';
import { pictureUrl } from '../content/safe-url.js';
import { splitContent } from '../content/split.js';
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

  /** Returns the posts for one message, in order. Throws WebhookMessageRefused. */
  async drafts(
    source: WebhookSource,
    channel: Pick<Channel, 'id' | 'teamId' | 'type'>,
    message: WebhookMessage,
    rootId = '',
  ): Promise<PostDraft[]> {
    requireValidType(message);
    const { text, attachments } = await this.converted(message);
    const type = attachments ? 'slack_attachment' : message.type;
    const drafts: PostDraft[] = [];
    const owner = await this.users.find(source.ownerId);
    const props = { ...this.props(source, message), ...propsOfAuthor(owner) };
    for (const piece of asRefusalIfTooLarge(() => splitContent({ message: text, props, attachments }))) {
      const raw = { channel, authorId: source.ownerId, ...piece, type, isHook: true };
      drafts.push({
        userId: source.ownerId,
        channelId: channel.id,
        message: piece.message,
        type,
        rootId,
        ...(await this.content.enrich(raw)),
        ...(message.priority && { metadata: { priority: message.priority } }),
      });
    }
    return drafts;
  }

  private props(source: WebhookSource, message: WebhookMessage): JsonObject {
    const props = unreservedProps(message.props ?? {});
    props['from_webhook'] = 'true';
    props['webhook_display_name'] = visible(source.displayName);
    if (this.settings.enablePostUsernameOverride) {
      props['override_username'] = visible(message.username) || visible(source.username) || 'webhook';
    }
    if (this.settings.enablePostIconOverride) {
      const iconUrl = pictureUrl(visible(message.iconUrl)) || pictureUrl(visible(source.iconUrl));
      if (iconUrl !== '') props['override_icon_url'] = iconUrl;
      const iconEmoji = visible(message.iconEmoji);
      if (iconEmoji !== '') props['override_icon_emoji'] = iconEmoji;
    }
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
