import { Injectable } from '@nestjs/common';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { TeamsService } from '../messaging/teams/teams.service.js';
import { isId } from '../platform/common/ids.js';
import { BotRights } from './events/bot-rights.js';
import { TRIGGERED } from './events/hook-events.js';
import type { OutgoingHook } from './outgoing-hook.entity.js';
import { intersects, requireRule, requireValidHook } from './outgoing-hook.rules.js';
import {
  channelNotOpen,
  channelOfOtherTeam,
  hookIntersects,
  triggersMissing,
} from './outgoing-hooks.errors.js';
import { OutgoingHooksPolicy, type Place } from './outgoing-hooks.policy.js';
import { OutgoingHooksRepository } from './outgoing-hooks.repository.js';

/** Validates new and changed hooks in the contract's order (docs/contract/outgoing-webhooks.md). */
@Injectable()
export class OutgoingHookChecks {
  constructor(
    private readonly repository: OutgoingHooksRepository,
    private readonly policy: OutgoingHooksPolicy,
    private readonly channels: ChannelsService,
    private readonly teams: TeamsService,
    private readonly bots: BotRights,
  ) {}

  /** Checks the team and channel of a new hook. Throws a 403, or the error for a missing team or channel. */
  async requireNewPlace({ teamId, channelId }: Place): Promise<void> {
    if (channelId !== '') {
      const channel = await this.channels.get(channelId);
      if (channel.type !== 'O') throw channelNotOpen();
      if (channel.teamId !== teamId) throw channelOfOtherTeam();
    } else if (isId(teamId)) {
      await this.teams.get(teamId); // an invalid id is refused by the rules of the record
    }
  }

  async requireChange(actor: Actor, hook: OutgoingHook, change: Partial<OutgoingHook>): Promise<void> {
    const updated = { ...hook, ...change };
    if (updated.channelId !== '') {
      const channel = await this.channels.get(updated.channelId);
      await this.policy.requireTarget(actor, channel);
      if (channel.teamId !== hook.teamId) throw channelOfOtherTeam();
    }
    if (updated.channelId !== hook.channelId) await this.policy.requireManage(actor, hook, updated);
    requireTriggers(updated);
    await this.requireDistinct(updated, 'update');
    if (change.botUserId !== undefined || change.events) await this.requireBot(actor, updated);
    requireValidHook(updated);
  }

  /** The actor must be allowed to manage the bot of the hook, if it has one. */
  async requireBot(actor: Actor, { botUserId }: Pick<OutgoingHook, 'botUserId'>): Promise<void> {
    if (botUserId === '') return;
    const mayManage = isId(botUserId) && (await this.bots.mayManage(actor, botUserId));
    requireRule(mayManage, 'bot_user_id', 'bot_user_id', 'it is not a bot that you can manage.');
  }

  async requireDistinct(hook: OutgoingHook, action: 'create' | 'update'): Promise<void> {
    const others = await this.repository.listInPlace(hook);
    if (others.some((other) => intersects(hook, other))) throw hookIntersects(action);
  }
}

export function requireTriggers({
  channelId,
  triggerWords,
  events,
}: Pick<OutgoingHook, 'channelId' | 'triggerWords' | 'events'>): void {
  if (channelId !== '') return;
  if (triggerWords.length === 0 && events.includes(TRIGGERED)) throw triggersMissing();
  requireRule(!events.includes('message.created'), 'events', 'events', 'message.created needs a channel_id.');
}

/**
 * Adds the actor as the setter if the change sets the hook's channel or bot, even to the same one, adds callback URLs, or
 * lets consumers pull.
 */
export function withSetter(
  actor: Actor,
  hook: OutgoingHook,
  change: Partial<OutgoingHook>,
): Partial<OutgoingHook> {
  const { channelId, botUserId, callbackUrls = [], delivery = hook.delivery } = change;
  const setsTarget =
    channelId !== undefined ||
    botUserId !== undefined ||
    delivery !== hook.delivery ||
    !callbackUrls.every((url) => hook.callbackUrls.includes(url));
  return setsTarget ? { ...change, setBy: actor.userId } : change;
}
