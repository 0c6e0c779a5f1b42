import { Injectable } from '@nestjs/common';
import type { Channel } from '../../messaging/channels/channel.entity.js';
import type { Actor } from '../../messaging/permissions/actor.js';
import { PermissionsService } from '../../messaging/permissions/permissions.service.js';
import { BotsPolicy } from '../../messaging/users/bots/bots.policy.js';
import { UsersService } from '../../messaging/users/users.service.js';
import { AppError } from '../../platform/common/errors/app-error.js';

/** Decides who may receive what a bot may read: those who may manage it, and the bot itself. */
@Injectable()
export class BotRights {
  constructor(
    private readonly users: UsersService,
    private readonly permissions: PermissionsService,
    private readonly bots: BotsPolicy,
  ) {}

  /** The user as an actor; undefined if the account is not active. */
  async actorOf(userId: string): Promise<Actor | undefined> {
    const user = await this.users.find(userId);
    if (!user || user.deleteAt > 0) return undefined;
    const { roles } = await this.permissions.subject(userId);
    return { kind: 'user', userId, roles, sessionId: '' };
  }

  async mayManage(actor: Actor, botId: string): Promise<boolean> {
    return (await this.isActive(botId)) && this.mayManageEvenDisabled(actor, botId);
  }

  async isActive(botId: string): Promise<boolean> {
    const bot = await this.users.find(botId);
    return bot?.isBot === true && bot.deleteAt === 0;
  }

  async mayManageEvenDisabled(actor: Actor, botId: string): Promise<boolean> {
    const bot = await this.users.find(botId);
    if (!bot?.isBot) return false;
    if (actor.userId === botId) return true;
    try {
      await this.bots.requireManage(actor, bot);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return false;
      throw error;
    }
  }

  /** Whether all these users may manage the bot, and the channel is public or the bot can read it. */
  async mayHear(
    userIds: readonly string[],
    botId: string,
    channel: Pick<Channel, 'id' | 'type'>,
  ): Promise<boolean> {
    for (const userId of new Set(userIds)) {
      const actor = await this.actorOf(userId);
      if (!actor || !(await this.mayManage(actor, botId))) return false;
    }
    return this.canHear(botId, channel);
  }

  /** Whether the channel is public or the bot can read it. */
  async canHear(botId: string, { id, type }: Pick<Channel, 'id' | 'type'>): Promise<boolean> {
    return type === 'O' || this.canRead(botId, id);
  }

  /** The content of a channel of the bot, for someone who may manage it. */
  async maySee(actor: Actor, botId: string, channelId: string): Promise<boolean> {
    return (await this.mayManage(actor, botId)) && (await this.canRead(botId, channelId));
  }

  private async canRead(botId: string, channelId: string): Promise<boolean> {
    return this.permissions.canReadChannel(await this.permissions.subject(botId), channelId);
  }
}
