import { Injectable } from '@nestjs/common';
import { PermissionDenied } from '../../platform/common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import type { Channel } from './channel.entity.js';
import { ChannelNameNotFound, DirectChannelForbidden } from './channels.errors.js';

/** Whom the caller may put into a channel. */
export interface AddRights {
  readonly self: boolean;
  readonly others: boolean;
}

/** Who may see, join and change a channel (docs/contract/messaging.md#channels). */
@Injectable()
export class ChannelsPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  /** Other types are not asked about: the contract refuses them with 400. */
  async requireCreate(actor: Actor, teamId: string, type: string): Promise<void> {
    if (type === 'O') await this.permissions.require(actor, Permission.CreatePublicChannel, { teamId });
    if (type === 'P') await this.permissions.require(actor, Permission.CreatePrivateChannel, { teamId });
  }

  /** Direct channels are for those who are in them; administrators may bring two others together. */
  async requireDirect(actor: Actor, userIds: readonly string[]): Promise<void> {
    await this.permissions.require(actor, Permission.CreateDirectChannel, 'system');
    if (!userIds.includes(actor.userId))
      await this.permissions.require(actor, Permission.ManageSystem, 'system');
  }

  async requireGroup(actor: Actor): Promise<void> {
    await this.permissions.require(actor, Permission.CreateGroupChannel, 'system');
  }

  async requireRead(actor: Actor, channel: Channel): Promise<void> {
    if (!(await this.mayRead(actor, channel))) throw new PermissionDenied(Permission.ReadChannel);
  }

  /** Like requireRead, but a private channel of others does not exist by its name. */
  async requireReadByName(actor: Actor, channel: Channel): Promise<void> {
    if (await this.mayRead(actor, channel)) return;
    throw channel.type === 'O'
      ? new PermissionDenied(Permission.ReadPublicChannel)
      : new ChannelNameNotFound();
  }

  /** The settings of a direct or group channel are for its members. */
  async requireProperties(actor: Actor, { id, type }: Channel): Promise<void> {
    if (type === 'O')
      await this.permissions.require(actor, Permission.ManagePublicChannelProperties, { channelId: id });
    else if (type === 'P')
      await this.permissions.require(actor, Permission.ManagePrivateChannelProperties, { channelId: id });
    else if (actor.kind === 'user' && !(await this.permissions.isChannelMember(actor.userId, id))) {
      throw new DirectChannelForbidden();
    }
  }

  async requireConvert(actor: Actor, channelId: string, type: 'O' | 'P'): Promise<void> {
    const permission =
      type === 'O' ? Permission.ConvertPrivateChannelToPublic : Permission.ConvertPublicChannelToPrivate;
    await this.permissions.require(actor, permission, { channelId });
  }

  async requireArchive(actor: Actor, { id, type }: Channel): Promise<void> {
    const permission = type === 'O' ? Permission.DeletePublicChannel : Permission.DeletePrivateChannel;
    await this.permissions.require(actor, permission, { channelId: id });
  }

  async requireRestore(actor: Actor, { teamId }: Channel): Promise<void> {
    await this.permissions.require(actor, Permission.ManageTeam, { teamId });
  }

  /** Whether the caller sees all archived channels of a team, or only open ones and the caller's own. */
  seesAllArchived(actor: Actor): Promise<boolean> {
    return this.permissions.hasOnSystem(actor, Permission.ManageSystem);
  }

  /** Into a private channel only those who manage its members put anybody, themselves included. */
  async addRights(actor: Actor, { id, teamId, type }: Channel): Promise<AddRights> {
    if (type === 'P') {
      await this.permissions.require(actor, Permission.ManagePrivateChannelMembers, { channelId: id });
      return { self: true, others: true };
    }
    return {
      self: await this.permissions.hasOnTeam(actor, Permission.JoinPublicChannels, teamId),
      others: await this.permissions.hasOnChannel(actor, Permission.ManagePublicChannelMembers, id),
    };
  }

  async requireRemove(actor: Actor, { id, type }: Channel, userId: string): Promise<void> {
    if (actor.userId === userId) return;
    const permission =
      type === 'O' ? Permission.ManagePublicChannelMembers : Permission.ManagePrivateChannelMembers;
    await this.permissions.require(actor, permission, { channelId: id });
  }

  async requireManageRoles(actor: Actor, channelId: string): Promise<void> {
    await this.permissions.require(actor, Permission.ManageChannelRoles, { channelId });
  }

  async requireReadMembers(actor: Actor, channelId: string): Promise<void> {
    await this.permissions.require(actor, Permission.ReadChannel, { channelId });
  }

  async requireViewTeam(actor: Actor, teamId: string): Promise<void> {
    await this.permissions.require(actor, Permission.ViewTeam, { teamId });
  }

  /** What belongs to a user is for that user, and for holders of `permission` on the system. */
  async requireSelfOr(actor: Actor, userId: string, permission: Permission): Promise<void> {
    if (actor.userId === userId || (await this.permissions.hasOnSystem(actor, permission))) return;
    throw new PermissionDenied(permission);
  }

  private async mayRead(actor: Actor, { id, teamId, type }: Channel): Promise<boolean> {
    if (type === 'O' && (await this.permissions.hasOnTeam(actor, Permission.ReadPublicChannel, teamId)))
      return true;
    return this.permissions.hasOnChannel(actor, Permission.ReadChannel, id);
  }
}
