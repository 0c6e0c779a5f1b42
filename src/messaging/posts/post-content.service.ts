import { Injectable } from '@nestjs/common';
import { ChannelRecords } from '../channels/channel-records.js';
import type { JsonObject } from '../../platform/common/json.js';
import { PostPermission } from './posts.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { TeamRecords } from '../teams/team-records.js';
import { UserRecords } from '../users/user-records.js';
import { findChannelMentions } from './content/channel-mentions.js';
import { extractHashtags } from './content/hashtags.js';
import { callsEveryone, findCalls, isEveryone } from './content/mentions.js';
import { attachmentsOf } from './content/props.js';
import { isSystemType } from './posts.rules.js';
import type { Mentions } from './writer/write-request.js';

const EVERYONE = '@';
const NOBODY = '';

/** A post's content before the server has read it. */
export interface RawContent {
  /** Empty for direct and group channels. */
  readonly teamId: string;
  readonly authorId: string;
  readonly channelId: string;
  readonly channelType: string;
  readonly message: string;
  readonly props: JsonObject;
  readonly type: string;
  /** True for a post of an incoming hook, which may call its own owner. */
  readonly isHook: boolean;
}

/** What the server finds in a content. */
export interface EnrichedContent {
  readonly props: JsonObject;
  readonly hashtags: string;
  /** Whose mention counters rise; undefined when nobody is called. */
  readonly mentions: Mentions | undefined;
}

/**
 * Reads hashtags, channel names and calls out of a content (docs/contract/messaging.md#mentions). Content without
 * `#`, `~` and `@` needs neither the database nor a wait; the rest is looked up through the caches.
 */
@Injectable()
export class PostContentService {
  constructor(
    private readonly users: UserRecords,
    private readonly teams: TeamRecords,
    private readonly channels: ChannelRecords,
    private readonly permissions: PermissionsService,
  ) {}

  async enrich(content: RawContent): Promise<EnrichedContent> {
    const { props, hashtags } = await this.describe(content);
    return { props, hashtags, mentions: await this.mentionsOf({ ...content, props }) };
  }

  /** Like enrich, without the mentions: for content that calls nobody, such as an edit. */
  async describe(content: RawContent): Promise<Omit<EnrichedContent, 'mentions'>> {
    const hashtags = extractHashtags(content.message);
    const texts = mentionableTexts(content);
    let { props } = content;
    if (props['channel_mentions'] !== undefined || texts.some((text) => text.includes('~'))) {
      props = await this.withChannelMentions(content.teamId, texts, props);
    }
    if (content.type !== '' || !callsEveryone(content.message)) return { props, hashtags };
    // Clients must not highlight a call to everyone by somebody who may not call everyone.
    if (!(await this.mayCallEveryone(content))) props = { ...props, mentionHighlightDisabled: true };
    return { props, hashtags };
  }

  /** The open channels of the team that the texts name, as clients need them to make links. */
  private async withChannelMentions(
    teamId: string,
    texts: readonly string[],
    before: JsonObject,
  ): Promise<JsonObject> {
    const { channel_mentions: _sent, ...props } = before;
    const names = teamId === '' ? [] : findChannelMentions(texts);
    if (names.length === 0) return props;
    const channels = await Promise.all(names.map((name) => this.channels.findByName(teamId, name)));
    const named = channels.filter((channel) => channel?.type === 'O');
    if (named.length === 0) return props;
    const { name: teamName } = await this.teams.get(teamId);
    const mentions = named.map((channel) => [
      channel?.name,
      { display_name: channel?.displayName, team_name: teamName },
    ]);
    return { ...props, channel_mentions: Object.fromEntries(mentions) as JsonObject };
  }

  private async mentionsOf(content: RawContent): Promise<Mentions | undefined> {
    if (isSystemType(content.type)) return undefined;
    if (content.channelType === 'D' || content.channelType === 'G') return { userIds: [], everyone: true };
    const calls = findCalls(mentionableTexts(content));
    if (calls.length === 0) return undefined;
    const called = new Set(await Promise.all(calls.map((names) => this.resolve(names))));
    const everyone =
      called.delete(EVERYONE) &&
      !content.props['mentionHighlightDisabled'] &&
      (await this.mayCallEveryone(content));
    called.delete(NOBODY);
    if (!content.isHook) called.delete(content.authorId);
    return everyone || called.size > 0 ? { userIds: [...called], everyone } : undefined;
  }

  /** The id of the user who is called, or EVERYONE, or NOBODY. */
  private async resolve(names: readonly string[]): Promise<string> {
    for (const name of names) {
      if (isEveryone(name)) return EVERYONE;
      const user = await this.users.findByUsername(name);
      if (user?.deleteAt === 0) return user.id;
    }
    return NOBODY;
  }

  private async mayCallEveryone({ authorId, channelId }: RawContent): Promise<boolean> {
    const author = await this.permissions.subject(authorId);
    return this.permissions.has(author, PostPermission.UseChannelMentions, { channelId });
  }
}

/** The message and the texts of its attachments. */
function mentionableTexts({ message, props }: RawContent): string[] {
  const texts = [message];
  for (const { pretext, text, fields } of attachmentsOf(props)) {
    texts.push(pretext, text);
    for (const { value } of fields ?? []) if (value !== null) texts.push(value);
  }
  return texts;
}
