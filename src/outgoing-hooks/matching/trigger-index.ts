import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import type { CreatedPost } from '../../messaging/posts/posts.events.js';
import { EventRights } from '../events/event-rights.js';
import { type Author, type HookEvent, TRIGGERED } from '../events/hook-events.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { CHANNEL_PAUSED_REASONS, HookRights } from '../pausing/hook-rights.js';
import { type Firing, TeamTriggers, watches } from './team-triggers.js';
import { authorOf } from './trigger-matcher.js';
import { TeamTriggersCache } from './team-triggers-cache.js';

/** Why a hook never fires in a channel, as in the API. */
export const SILENT_REASONS = [
  'other_channel',
  'archived_channel',
  'private_channel',
  ...CHANNEL_PAUSED_REASONS,
] as const;
export type SilentReason = (typeof SILENT_REASONS)[number];

export type NotFiringReason =
  SilentReason | 'no_trigger_matches' | 'other_events' | 'disabled' | 'message_limit';

/** Whether a hook fires on a message: it does unless `notFiringReason` is set. */
export interface Explanation {
  readonly hook: OutgoingHook;
  /** The trigger word that matches, if any; empty if the hook has none. */
  readonly word: string | undefined;
  readonly event: HookEvent;
  readonly notFiringReason: NotFiringReason | undefined;
  /** It fires, but some of its callback URLs are skipped because the message triggers too many calls. */
  readonly isCut?: boolean;
}

export type BotFiring = Firing & { readonly event: 'bot.mentioned' | 'bot.direct_message' };

export interface TeamExplanation {
  readonly hooks: TeamTriggers;
  /** The hooks whose words match in this channel, oldest first. All others of the team are silent. */
  readonly matching: readonly Explanation[];
}

/** Finds the hooks that fire on a post, including disabled ones (docs/contract/outgoing-webhooks.md#triggers). */
@Injectable()
export class TriggerIndex {
  constructor(
    private readonly teams: TeamTriggersCache,
    private readonly rights: HookRights,
    private readonly channels: ChannelsService,
    private readonly events: EventRights,
  ) {}

  /** The hooks that fire on a new message, oldest first. Most posts trigger none and need no query. */
  async firing(channel: Channel, message: string, author: Author = 'person'): Promise<Firing[]> {
    const hooks = this.teams.peek(channel.teamId) ?? (await this.teams.get(channel.teamId));
    return this.audible(channel, hooks.firing(channel.id, message, author));
  }

  /** The hooks that receive an event in a channel, oldest first. */
  async watching(channel: Channel, event: HookEvent, author: Author): Promise<Firing[]> {
    const hooks = await this.teams.getCommitted(channel.teamId);
    return this.audible(channel, hooks.watching(event, channel.id, author));
  }

  /** Whether any hook of a team receives an event. */
  async isHeard(teamId: string, event: HookEvent): Promise<boolean> {
    return (await this.teams.getCommitted(teamId)).hears(event);
  }

  /** The hooks of a team that receive an event outside channels, oldest first. */
  async hearing(teamId: string, event: HookEvent): Promise<OutgoingHook[]> {
    const hooks = await this.teams.getCommitted(teamId);
    return hooks.watching(event, '', 'person').map(({ hook }) => hook);
  }

  /** The hooks of bots that this post mentions, or that it was sent to. */
  async firingOfBots({ post, mentions }: CreatedPost, channel: Channel): Promise<BotFiring[]> {
    const isDirect = channel.type === 'D';
    const userIds = isDirect ? channel.name.split('__') : (mentions?.userIds ?? []);
    if (userIds.length === 0) return [];
    const event = isDirect ? 'bot.direct_message' : 'bot.mentioned';
    const bots = await this.teams.bots();
    const isPerson = authorOf(post) === 'person';
    const firings: BotFiring[] = [];
    for (const botId of userIds) {
      if (botId === post.userId) continue;
      for (const hook of bots.of(botId)) {
        if (!hook.events.includes(event) || !(isPerson || hook.includeBots)) continue;
        if (!isDirect && !(hook.teamId === channel.teamId && watches(hook, channel.id))) continue;
        if (await this.channels.isArchived(channel)) continue;
        if (await this.events.botRefusal(hook, botId, channel)) continue;
        firings.push({ hook, word: '', event });
      }
    }
    return firings;
  }

  private async audible(channel: Channel, candidates: readonly Firing[]): Promise<Firing[]> {
    const firings: Firing[] = [];
    for (const firing of candidates)
      if ((await this.silentReason(channel, firing.hook)) === undefined) firings.push(firing);
    return firings;
  }

  /** The hooks of the team and, for those whose words match, whether they fire and why not. */
  async explain(channel: Channel, message: string): Promise<TeamExplanation> {
    const hooks = await this.teams.get(channel.teamId);
    const matching: Explanation[] = [];
    for (const { hook, word, event } of hooks.firing(channel.id, message)) {
      const isOff = hook.disabledAt > 0 ? 'disabled' : undefined;
      matching.push({
        hook,
        word,
        event,
        notFiringReason: (await this.silentReason(channel, hook)) ?? isOff,
      });
    }
    return { hooks, matching };
  }

  async explainSilent(channel: Channel, hook: OutgoingHook): Promise<Explanation> {
    const isForMessages = hook.events.includes(TRIGGERED) || hook.events.includes('message.created');
    const noMatch = isForMessages ? 'no_trigger_matches' : 'other_events';
    const notFiringReason = (await this.silentReason(channel, hook)) ?? noMatch;
    return { hook, word: undefined, event: TRIGGERED, notFiringReason };
  }

  /** Why a hook never fires in this channel; undefined if it can. */
  async silentReason(channel: Channel, hook: OutgoingHook): Promise<SilentReason | undefined> {
    return (await this.silentReasonIgnoringRights(channel, hook)) ?? this.rights.refusalIn(channel, hook);
  }

  /** Like `silentReason`, but ignores the rights of the hook's creator and setter. */
  async silentReasonIgnoringRights(
    channel: Channel,
    hook: Pick<OutgoingHook, 'channelId'>,
  ): Promise<SilentReason | undefined> {
    if (!watches(hook, channel.id)) return 'other_channel';
    if (await this.channels.isArchived(channel)) return 'archived_channel';
    return channel.type !== 'O' && hook.channelId === '' ? 'private_channel' : undefined;
  }
}
