import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import { ChannelsService } from '../../messaging/channels/channels.service.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import type { Permission } from '../../platform/access/access.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { OutgoingHookRecords } from '../outgoing-hook-records.js';
import { OutgoingHooksPolicy } from '../outgoing-hooks.policy.js';
import { type ChannelPausedReason, HookRights, type PausedReason } from '../pausing/hook-rights.js';
import { BotRights } from './bot-rights.js';

/** Why a hook may not receive an event now. */
export type EventRefusal = ChannelPausedReason | 'not_permitted';

/** Decides whether a hook may receive an event, when it happens and again before each call and reply. */
@Injectable()
export class EventRights {
  /** Required by the events of secure connections; set by the module that announces them. */
  connectionPermission: Permission | undefined;

  constructor(
    private readonly rights: HookRights,
    private readonly bots: BotRights,
    private readonly policy: OutgoingHooksPolicy,
    private readonly hooks: OutgoingHookRecords,
    private readonly channels: ChannelsService,
    private readonly permissions: PermissionsService,
  ) {}

  /** Why the hook does not receive some of its events now; undefined if it receives all. */
  async pausedReason(hook: OutgoingHook): Promise<PausedReason | undefined> {
    return (await this.pausesOf(hook)).find((reason) => reason !== undefined);
  }

  /** Like `pausedReason`, but undefined if it receives any of its events. */
  async stoppedReason(hook: OutgoingHook): Promise<PausedReason | undefined> {
    const [first, ...others] = await this.pausesOf(hook);
    return others.includes(undefined) ? undefined : first;
  }

  /** Why the hook may not receive this payload; undefined if it may. */
  async refusal(hook: OutgoingHook, body: JsonObject): Promise<EventRefusal | undefined> {
    const { channel_id: channelId, bot_user_id: botId } = body;
    if (typeof channelId === 'string') {
      const channel = await this.channels.find(channelId);
      if (!channel) return 'not_permitted';
      return typeof botId === 'string'
        ? this.botRefusal(hook, botId, channel)
        : this.rights.refusalIn(channel, hook);
    }
    if (await this.unpermitted(hook, (actor) => this.canSeeOperation(actor, body))) return 'not_permitted';
    return this.rights.refusalAnywhere(hook);
  }

  /** Bot events follow the rights of the bot, which its managers have through it. */
  async botRefusal(
    hook: OutgoingHook,
    botId: string,
    channel: Pick<Channel, 'id' | 'type'>,
  ): Promise<EventRefusal | undefined> {
    const mayHear =
      hook.botUserId === botId && (await this.bots.mayHear(responsibleFor(hook), botId, channel));
    return mayHear ? this.rights.refusalAnywhere(hook) : 'not_permitted';
  }

  /** Whether the caller may see this payload in the log. */
  async canSee(actor: Actor, body: JsonObject): Promise<boolean> {
    const { channel_id: channelId, bot_user_id: botId } = body;
    if (typeof channelId !== 'string') return this.canSeeOperation(actor, body);
    if (await this.permissions.canReadChannel(actor, channelId)) return true;
    return typeof botId === 'string' && this.bots.maySee(actor, botId, channelId);
  }

  private pausesOf(hook: OutgoingHook): Promise<(PausedReason | undefined)[]> {
    return Promise.all(hook.events.map((event) => this.pauseOf(hook, event)));
  }

  private async pauseOf(hook: OutgoingHook, event: string): Promise<PausedReason | undefined> {
    const [group] = event.split('.');
    if (group === 'message' || group === 'member') return this.rights.refusal(hook);
    const reason = await this.rights.refusalAnywhere(hook);
    if (reason) return reason;
    const { botUserId: botId, channelId } = hook;
    if (group === 'webhook') return this.unpermitted(hook, (actor) => this.policy.mayManageSome(actor, hook));
    if (group === 'connection') return this.unpermitted(hook, (actor) => this.canSeeConnections(actor));
    if (!(await this.bots.isActive(botId))) return 'bot_disabled';
    const channel =
      event === 'bot.mentioned' && channelId !== '' ? await this.channels.find(channelId) : null;
    if (channel && !(await this.bots.canHear(botId, channel))) return 'bot_cannot_read';
    return this.unpermitted(hook, (actor) => this.bots.mayManage(actor, botId));
  }

  /** Which of the users who decided what the hook sends, and where, may not receive an event. */
  private async unpermitted(
    hook: OutgoingHook,
    isPermitted: (actor: Actor) => Promise<boolean>,
  ): Promise<'creator_not_permitted' | 'setter_not_permitted' | undefined> {
    for (const userId of responsibleFor(hook)) {
      const actor = await this.bots.actorOf(userId);
      if (!actor || !(await isPermitted(actor)))
        return userId === hook.creatorId ? 'creator_not_permitted' : 'setter_not_permitted';
    }
    return undefined;
  }

  private async canSeeConnections(actor: Actor): Promise<boolean> {
    const permission = this.connectionPermission;
    return permission !== undefined && this.permissions.hasOnSystem(actor, permission);
  }

  private async canSeeOperation(actor: Actor, body: JsonObject): Promise<boolean> {
    const { webhook_id: hookId, permission } = body;
    if (typeof permission === 'string') return this.permissions.hasOnSystem(actor, permission as Permission);
    const hook = typeof hookId === 'string' ? await this.hooks.find(hookId) : null;
    return hook !== null && this.policy.mayManage(actor, hook);
  }
}

/** The users who decided what a hook sends, and where. Local mode has no user. */
function responsibleFor({ creatorId, setBy }: OutgoingHook): readonly string[] {
  return setBy === '' || setBy === creatorId ? [creatorId] : [creatorId, setBy];
}
