import { Injectable } from '@nestjs/common';
import type { Channel } from '../channels/channel.entity.js';
import { ChannelsService } from '../channels/channels.service.js';
import type { JsonObject } from '../../platform/common/json.js';
import { PostPermission } from './posts.policy.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { TeamsService } from '../teams/teams.service.js';
import { UsersService } from '../users/users.service.js';
import {
  extractHashtags,
  findChannelMentions,
  findMentions,
  isEveryone,
  mentionsEveryone,
} from './content/mentions.js';
import { attachmentsOf } from './content/props.js';
import { isSystemType } from './posts.rules.js';
import type { Mentions } from './writer/write-request.js';

const EVERYONE = '@';
const NOBODY = '';

/** A post's content before processing. */
export interface RawContent {
  readonly channel: Pick<Channel, 'id' | 'teamId' | 'type'>;
  readonly authorId: string;
  readonly message: string;
  readonly props: JsonObject;
  readonly type?: string;
  /** True for a post of an incoming webhook, which may mention its own owner. */
  readonly isHook?: boolean;
}

interface EnrichedContent {
  readonly props: JsonObject;
  readonly hashtags: string;
  readonly mentions: Mentions | undefined;
}

/**
 * Finds hashtags, channel mentions and user mentions in a post (docs/contract/messaging.md#mentions). Content
 * without `#`, `~` and `@` needs no lookups; other lookups are cached.
 */
@Injectable()
export class PostContentService {
  constructor(
    private readonly users: UsersService,
    private readonly teams: TeamsService,
    private readonly channels: ChannelsService,
    private readonly permissions: PermissionsService,
  ) {}

  async enrich(content: RawContent): Promise<EnrichedContent> {
    const { props, hashtags } = await this.describe(content);
    return { props, hashtags, mentions: await this.mentionsOf({ ...content, props }) };
  }

  /** Like enrich, but without mentions, since edits do not notify users. */
  async describe(content: RawContent): Promise<Omit<EnrichedContent, 'mentions'>> {
    const hashtags = extractHashtags(content.message);
    const texts = mentionableTexts(content);
    let { props } = content;
    if (props['channel_mentions'] !== undefined || texts.some((text) => text.includes('~'))) {
      props = await this.withChannelMentions(content, texts, props);
    }
    if (content.type || !mentionsEveryone(content.message)) return { props, hashtags };
    // Clients must not highlight an everyone mention if the author lacks the permission.
    if (!(await this.canMentionEveryone(content))) props = { ...props, mentionHighlightDisabled: true };
    return { props, hashtags };
  }

  /** Adds the mentioned open channels of the team for clients to link. */
  private async withChannelMentions(
    { channel: { teamId } }: RawContent,
    texts: readonly string[],
    before: JsonObject,
  ): Promise<JsonObject> {
    const { channel_mentions: _sent, ...props } = before;
    const names = teamId === '' ? [] : findChannelMentions(texts);
    if (names.length === 0) return props;
    const channels = await Promise.all(names.map((name) => this.channels.findByName(teamId, name)));
    const named = channels.filter((channel) => channel !== null).filter(({ type }) => type === 'O');
    if (named.length === 0) return props;
    const { name: teamName } = await this.teams.get(teamId);
    const mentions = named.map((channel) => [
      channel.name,
      { display_name: channel.displayName, team_name: teamName },
    ]);
    return { ...props, channel_mentions: Object.fromEntries(mentions) as JsonObject };
  }

  private async mentionsOf(content: RawContent): Promise<Mentions | undefined> {
    const { channel, type = '' } = content;
    if (isSystemType(type)) return undefined;
    if (channel.type === 'D' || channel.type === 'G') return { userIds: [], everyone: true };
    const found = findMentions(mentionableTexts(content));
    if (found.length === 0) return undefined;
    const mentioned = new Set(await Promise.all(found.map((names) => this.resolve(names))));
    const everyone =
      mentioned.delete(EVERYONE) &&
      !content.props['mentionHighlightDisabled'] &&
      (await this.canMentionEveryone(content));
    mentioned.delete(NOBODY);
    if (!content.isHook) mentioned.delete(content.authorId);
    return everyone || mentioned.size > 0 ? { userIds: [...mentioned], everyone } : undefined;
  }

  /** Returns the ID of the mentioned user, EVERYONE, or NOBODY. */
  private async resolve(names: readonly string[]): Promise<string> {
    for (const name of names) {
      if (isEveryone(name)) return EVERYONE;
      const user = await this.users.findByUsername(name);
      if (user?.deleteAt === 0) return user.id;
    }
    return NOBODY;
  }

  private async canMentionEveryone({ authorId, channel }: RawContent): Promise<boolean> {
    const author = await this.permissions.subject(authorId);
    return this.permissions.has(author, PostPermission.UseChannelMentions, { channelId: channel.id });
  }
}

function mentionableTexts({ message, props }: RawContent): string[] {
  const texts = [message];
  for (const { pretext, text, fields } of attachmentsOf(props)) {
    texts.push(pretext, text);
    for (const { value } of fields ?? []) if (value !== null) texts.push(value);
  }
  return texts;
}
