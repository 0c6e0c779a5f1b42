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
import { HookRights, type PausedReason } from '../pausing/hook-rights.js';
import { BotRights } from './bot-rights.js';

/** Why a hook may not receive an event now. */
export type EventRefusal = PausedReason | 'not_permitted';

/** Decides whether a hook may receive an event, when it happens and again before each call and reply. */
@Injectable()
export class EventRights {
  constructor(
    private readonly rights: HookRights,
    private readonly bots: BotRights,
    private readonly policy: OutgoingHooksPolicy,
    private readonly hooks: OutgoingHookRecords,
    private readonly channels: ChannelsService,
    private readonly permissions: PermissionsService,
  ) {}

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
    for (const userId of responsibleFor(hook)) {
      const actor = await this.bots.actorOf(userId);
      if (!actor || !(await this.canSeeOperation(actor, body))) return 'not_permitted';
    }
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
