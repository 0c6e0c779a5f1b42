import { Injectable } from '@nestjs/common';
import { definePermissions, type Permission } from '../../../platform/access/access.js';
import { permissionDenied } from '../../../platform/common/errors/common-errors.js';
import type { Actor } from '../../permissions/actor.js';
import { PermissionsService } from '../../permissions/permissions.service.js';
import type { User } from '../user.entity.js';
import { botNotFound } from '../users.errors.js';
import { isSelf, UsersPolicy } from '../users.policy.js';
import { UsersService } from '../users.service.js';

export const BotPermission = definePermissions({
  CreateBot: ['create_bot'],
  ReadBots: ['read_bots'],
  ReadOthersBots: ['read_others_bots'],
  ManageBots: ['manage_bots'],
  ManageOthersBots: ['manage_others_bots'],
});

type OwnedBot = Pick<User, 'id' | 'botOwnerId'>;

/** Who may see and manage bots (docs/contract/messaging.md#bots). */
@Injectable()
export class BotsPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly users: UsersService,
    private readonly accounts: UsersPolicy,
  ) {}

  /** Bots cannot create bots. */
  async requireCreate(actor: Actor): Promise<void> {
    await this.permissions.require(actor, BotPermission.CreateBot, 'system');
    if (actor.kind === 'user' && (await this.users.find(actor.userId))?.isBot)
      throw permissionDenied(BotPermission.CreateBot);
  }

  /** The owner whose bots the caller may list; undefined for all bots. Throws `permissionDenied`. */
  async listedOwner(actor: Actor): Promise<string | undefined> {
    if (await this.has(actor, BotPermission.ReadOthersBots)) return undefined;
    await this.permissions.require(actor, BotPermission.ReadBots, 'system');
    return actor.userId;
  }

  /** Throws `botNotFound`, so that callers cannot discover bots they may not see. */
  async requireRead(actor: Actor, bot: OwnedBot): Promise<void> {
    const { ReadBots, ReadOthersBots } = BotPermission;
    if (!(await this.has(actor, isOwned(actor, bot) ? ReadBots : ReadOthersBots))) throw botNotFound();
  }

  /** Throws `botNotFound` or `permissionDenied`. */
  async requireManage(actor: Actor, bot: OwnedBot): Promise<void> {
    await this.requireRead(actor, bot);
    const { ManageBots, ManageOthersBots } = BotPermission;
    await this.permissions.require(actor, isOwned(actor, bot) ? ManageBots : ManageOthersBots, 'system');
    await this.accounts.requirePowerOver(actor, bot.id);
  }

  /** Like UsersPolicy.requireManage, but owners may manage their bots too. */
  async requireManageAccount(actor: Actor, user: Pick<User, 'id'> & Partial<OwnedBot>): Promise<void> {
    if (isOwned(actor, user) && (await this.has(actor, BotPermission.ManageBots)))
      await this.accounts.requirePowerOver(actor, user.id);
    else await this.accounts.requireManage(actor, user.id);
  }

  private has(actor: Actor, permission: Permission): Promise<boolean> {
    return this.permissions.has(actor, permission, 'system');
  }
}

/** A bot that owns itself, such as a converted user account, does not count as owned. */
function isOwned(actor: Actor, { id, botOwnerId = '' }: Pick<User, 'id'> & Partial<OwnedBot>): boolean {
  return isSelf(actor, botOwnerId) && botOwnerId !== id;
}
