import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { CommonPermission } from '../../messaging/permissions/common.permissions.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import type { Post } from '../../messaging/posts/post.entity.js';
import { requireValidMessage } from '../../messaging/posts/posts.rules.js';
import { PostsService } from '../../messaging/posts/posts.service.js';
import type { Page } from '../../platform/common/dto/params.js';
import { limitCalls } from '../delivery/triggered-deliveries.js';
import { definedOnly } from '../../platform/common/defined-only.js';
import { InvalidBodyParam, permissionDenied } from '../../platform/common/errors/common-errors.js';
import {
  firingWord,
  type PreparedMessage,
  prepareMessage,
  prepareTriggers,
} from '../matching/trigger-matcher.js';
import { type Explanation, type SilentReason, TriggerIndex } from '../matching/trigger-index.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import type { Firing } from '../matching/team-triggers.js';
import { channelOfOtherTeam, directChannelRefused } from '../outgoing-hooks.errors.js';
import { TRIGGERED } from '../events/hook-events.js';
import { OutgoingHooksPolicy } from '../outgoing-hooks.policy.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import { OutgoingHooksSettings } from '../outgoing-hooks.settings.js';
import {
  type DryRunDto,
  type ExplainDto,
  type ExplanationDto,
  HookExplanationDto,
  TriedPostDto,
  type TryNewOutgoingHookDto,
  type TryOutgoingHookDto,
} from './dry-run.dto.js';

export const MAX_TRIED_POSTS = 200;

/** Message characters times trigger words. The worst case takes seconds, typical words far less. */
const MAX_EFFORT = 50_000_000;

interface TriedHook {
  readonly hook: Pick<OutgoingHook, 'channelId' | 'triggerWords' | 'triggerWhen' | 'events'>;
  readonly notFiringReason: SilentReason | undefined;
}

/** Tries hooks on messages, with the same code that handles new posts. */
@Injectable()
export class DryRunService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly index: TriggerIndex,
    private readonly channels: ChannelsService,
    private readonly posts: PostsService,
    private readonly permissions: PermissionsService,
    private readonly policy: OutgoingHooksPolicy,
    private readonly settings: OutgoingHooksSettings,
  ) {}

  /** Tries a change to a hook. The actor must be allowed to make the change. */
  async tryChange(actor: Actor, hookId: string, input: TryOutgoingHookDto): Promise<DryRunDto> {
    const change = definedOnly({
      channelId: input.channel_id,
      triggerWords: input.trigger_words,
      triggerWhen: input.trigger_when,
    });
    const { now, then } = await this.hooks.preview(actor, hookId, change);
    const channel = await this.channelOf(actor, input.in_channel_id || then.channelId, then.teamId);
    return this.run(
      channel,
      { hook: now, notFiringReason: await this.index.silentReason(channel, now) },
      { hook: then, notFiringReason: await this.index.silentReason(channel, then) },
    );
  }

  /** Tries a hook that does not exist yet. The actor must be allowed to create it; the creator is ignored. */
  async tryNew(actor: Actor, input: TryNewOutgoingHookDto): Promise<DryRunDto> {
    const hook = {
      teamId: input.team_id,
      channelId: input.channel_id,
      triggerWords: input.trigger_words,
      triggerWhen: input.trigger_when,
      events: [TRIGGERED],
    };
    await this.hooks.previewNew(actor, hook);
    const channel = await this.channelOf(actor, input.in_channel_id || hook.channelId, hook.teamId);
    const notFiringReason = await this.index.silentReasonIgnoringRights(channel, hook);
    return this.run(channel, undefined, { hook, notFiringReason });
  }

  /** Explains which hooks fire on a message, and why others do not. Those that fire come first, each oldest first. */
  async explain(actor: Actor, input: ExplainDto, page: Page): Promise<ExplanationDto> {
    const { message, channel_id: channelId } = input;
    if (await this.policy.mayKnowChannels(actor)) await this.channels.get(channelId);
    await this.permissions.require(actor, CommonPermission.ManageWebhooks, { channelId });
    const channel = await this.channels.get(channelId);
    if (channel.type !== 'O' && !(await this.permissions.canReadChannel(actor, channel.id)))
      throw permissionDenied(CommonPermission.ReadChannelContent);
    this.hooks.requireEnabled();
    if (channel.teamId === '') throw directChannelRefused();
    requireValidMessage(message);
    const canSeeOthers = await this.policy.canSeeOthers(actor, { channelId: channel.id });
    const isVisible = ({ creatorId }: OutgoingHook): boolean => canSeeOthers || creatorId === actor.userId;
    const { hooks, matching } = await this.index.explain(channel, message);
    const explained = this.limited(matching, message).filter(({ hook }) => isVisible(hook));
    const firing = explained.filter(({ notFiringReason }) => notFiringReason === undefined);
    const firingIds = new Set(firing.map(({ hook }) => hook.id));
    const visible = hooks.all.filter(isVisible);
    const shown = firing.slice(page.offset, page.offset + page.perPage);
    const silentFrom = Math.max(0, page.offset - firing.length);
    const silent = visible
      .filter(({ id }) => !firingIds.has(id))
      .slice(silentFrom, silentFrom + page.perPage - shown.length);
    const known = new Map(explained.map((explanation) => [explanation.hook.id, explanation]));
    for (const hook of silent)
      shown.push(known.get(hook.id) ?? (await this.index.explainSilent(channel, hook)));
    return {
      hooks: shown.map((explanation) => HookExplanationDto.from(explanation)),
      total_count: visible.length,
      firing_count: firing.length,
    };
  }

  /** Marks the hooks whose calls are left out because the message triggers too many. */
  private limited(explanations: readonly Explanation[], message: string): readonly Explanation[] {
    const { calls, leftOut } = limitCalls(explanations.flatMap(firingOf), message, this.settings);
    if (leftOut.length === 0) return explanations;
    const called = new Set(calls.map(({ hook }) => hook));
    const cut = new Set(leftOut.map(({ hook }) => hook));
    return explanations.map((explanation) => {
      if (!cut.has(explanation.hook)) return explanation;
      if (called.has(explanation.hook)) return { ...explanation, isCut: true };
      return { ...explanation, notFiringReason: 'message_limit' };
    });
  }

  /** The channel to try it on. The caller must be able to read its messages. */
  private async channelOf(actor: Actor, channelId: string, teamId: string): Promise<Channel> {
    if (channelId === '')
      throw new InvalidBodyParam(
        'in_channel_id',
        'the webhook covers a whole team, so channel_id is required',
      );
    if (await this.policy.mayKnowChannels(actor)) await this.channels.get(channelId);
    if (!(await this.permissions.canReadChannel(actor, channelId)))
      throw permissionDenied(CommonPermission.ReadChannelContent);
    const channel = await this.channels.get(channelId);
    if (channel.teamId !== teamId) throw channelOfOtherTeam();
    return channel;
  }

  private async run(channel: Channel, now: TriedHook | undefined, then: TriedHook): Promise<DryRunDto> {
    const finders = [finderOf(now), finderOf(then)] as const;
    const words = finders[0].wordCount + finders[1].wordCount;
    const posts = withinEffort(await this.posts.listNewest(channel.id, MAX_TRIED_POSTS), words);
    const firing: TriedPostDto[] = [];
    let exemptCount = 0;
    for (const post of posts) {
      if (mayHaveTriggered(post)) {
        const message = prepareMessage(post.message);
        const [wordNow, wordThen] = [finders[0].find(message), finders[1].find(message)];
        if (wordNow !== undefined || wordThen !== undefined)
          firing.push(TriedPostDto.from(post, wordNow, wordThen));
      } else exemptCount++;
      await setImmediate();
    }
    return {
      channel_id: channel.id,
      post_count: posts.length,
      exempt_count: exemptCount,
      firing_now_count: firing.filter((post) => post.fires_now).length,
      would_fire_count: firing.filter((post) => post.would_fire).length,
      silent_now_reason: now?.notFiringReason ?? '',
      would_be_silent_reason: then.notFiringReason ?? '',
      posts: firing,
    };
  }
}

/** Like `mayTrigger`, for a stored post, whose origin is not stored. Users cannot set the props used here. */
function mayHaveTriggered({ remoteId, type, props }: Post): boolean {
  return remoteId === '' && !type.startsWith('system_') && props['from_webhook'] !== 'true';
}

/** The first posts that fit the effort limit for this number of words; at least one. */
function withinEffort(posts: readonly Post[], words: number): readonly Post[] {
  let left = MAX_EFFORT;
  const end = posts.findIndex(({ message }, index) => (left -= message.length * words) < 0 && index > 0);
  return end < 0 ? posts : posts.slice(0, end);
}

interface Finder {
  readonly wordCount: number;
  readonly find: (message: PreparedMessage) => string | undefined;
}

function finderOf(settings: TriedHook | undefined): Finder {
  if (!settings || settings.notFiringReason !== undefined) return { wordCount: 0, find: () => undefined };
  const { hook } = settings;
  if (hook.events.includes('message.created')) return { wordCount: 0, find: () => '' };
  if (!hook.events.includes(TRIGGERED)) return { wordCount: 0, find: () => undefined };
  const triggers = prepareTriggers(hook);
  return { wordCount: triggers.length, find: (message) => firingWord(message, triggers, hook) };
}

/** Disabled hooks count too: their deliveries are stored as cancelled. */
function firingOf({ hook, word, event, notFiringReason }: Explanation): Firing[] {
  const isFiring = notFiringReason === undefined || notFiringReason === 'disabled';
  return isFiring && word !== undefined ? [{ hook, word, event }] : [];
}
