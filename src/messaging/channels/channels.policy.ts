import { Injectable } from '@nestjs/common';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { TeamPermission } from '../teams/teams.policy.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import type { Channel } from './channel.entity.js';
import { channelNameNotFound, directChannelForbidden } from './channels.errors.js';
import { ChannelsSettings } from './channels.settings.js';
import { parseIdParam } from '../../platform/common/dto/params.js';
import {
  CheckedByPolicy,
  definePermissions,
  type PathParams,
  type Scope,
  type ScopeResolver,
} from '../../platform/access/access.js';

/** Permissions for channels and their members. */
export const ChannelPermission = definePermissions({
  ListTeamChannels: ['list_team_channels', 'team_user'],
  JoinPublicChannels: ['join_public_channels', 'team_user'],
  CreatePublicChannel: ['create_public_channel', 'team_user'],
  CreatePrivateChannel: ['create_private_channel', 'team_user'],
  CreateDirectChannel: ['create_direct_channel', 'system_user'],
  CreateGroupChannel: ['create_group_channel', 'system_user'],
  ManageChannelRoles: ['manage_channel_roles', 'team_admin', 'channel_admin'],
  ManagePublicChannelMembers: ['manage_public_channel_members', 'channel_user'],
  ManagePrivateChannelMembers: ['manage_private_channel_members', 'channel_user'],
  ManagePublicChannelProperties: ['manage_public_channel_properties', 'channel_user'],
  ManagePrivateChannelProperties: ['manage_private_channel_properties', 'channel_user'],
  DeletePublicChannel: ['delete_public_channel', 'channel_user'],
  DeletePrivateChannel: ['delete_private_channel', 'channel_user'],
  ConvertPublicChannelToPrivate: ['convert_public_channel_to_private', 'team_admin'],
  ConvertPrivateChannelToPublic: ['convert_private_channel_to_public', 'team_admin'],
});

/** Access to routes for those who may read a channel. */
export const ForReaders = CheckedByPolicy(
  [CommonPermission.ReadChannel, CommonPermission.ReadPublicChannel],
  '`read_channel`, or `read_public_channel` in the team for an open one',
);

/** The permissions to act on channels, by their type. */
const BY_TYPE = {
  O: {
    create: ChannelPermission.CreatePublicChannel,
    change: ChannelPermission.ManagePublicChannelProperties,
    archive: ChannelPermission.DeletePublicChannel,
    manageMembers: ChannelPermission.ManagePublicChannelMembers,
    convert: ChannelPermission.ConvertPublicChannelToPrivate,
  },
  P: {
    create: ChannelPermission.CreatePrivateChannel,
    change: ChannelPermission.ManagePrivateChannelProperties,
    archive: ChannelPermission.DeletePrivateChannel,
    manageMembers: ChannelPermission.ManagePrivateChannelMembers,
    convert: ChannelPermission.ConvertPrivateChannelToPublic,
  },
};

/** Whether the caller may add themselves or others to a channel. */
export interface AddRights {
  readonly self: boolean;
  readonly others: boolean;
}

/** Who may see, join and change a channel (docs/contract/messaging.md#channels). */
@Injectable()
export class ChannelsPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly settings: ChannelsSettings,
  ) {}

  /** Does not check other types: the contract refuses them with 400. */
  async requireCreate(actor: Actor, teamId: string, type: string): Promise<void> {
    if (isOfTeam(type)) await this.permissions.require(actor, BY_TYPE[type].create, { teamId });
  }

  /** How many channels of the team the caller may create; managers of the team may fill it. */
  async maxOwnChannels(actor: Actor, teamId: string): Promise<number> {
    const isManager = await this.permissions.hasOnTeam(actor, TeamPermission.ManageTeam, teamId);
    return isManager ? Infinity : this.settings.maxChannelsPerCreator;
  }

  /** Users may open their own direct channels; administrators may open them between any two users. */
  async requireDirect(actor: Actor, userIds: readonly string[]): Promise<void> {
    await this.permissions.require(actor, ChannelPermission.CreateDirectChannel, 'system');
    if (!userIds.includes(actor.userId))
      await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
  }

  async requireRead(actor: Actor, channel: Channel): Promise<void> {
    if (!(await this.canRead(actor, channel))) throw permissionDenied(CommonPermission.ReadChannel);
  }

  /** Like requireRead, but throws `channelNameNotFound` for a private channel, so that names cannot be probed. */
  async requireReadByName(actor: Actor, channel: Channel): Promise<void> {
    if (await this.canRead(actor, channel)) return;
    throw channel.type === 'O' ? permissionDenied(CommonPermission.ReadPublicChannel) : channelNameNotFound();
  }

  /** Only members may change the properties of a direct or group channel. */
  async requireProperties(actor: Actor, { id, type }: Channel): Promise<void> {
    if (isOfTeam(type)) await this.permissions.require(actor, BY_TYPE[type].change, { channelId: id });
    else if (actor.kind === 'user' && !(await this.permissions.isChannelMember(actor.userId, id)))
      throw directChannelForbidden();
  }

  /** `type` is the new type. */
  async requireConvert(actor: Actor, channelId: string, type: 'O' | 'P'): Promise<void> {
    await this.permissions.require(actor, BY_TYPE[type === 'O' ? 'P' : 'O'].convert, { channelId });
  }

  async requireArchive(actor: Actor, { id, type }: Channel): Promise<void> {
    await this.permissions.require(actor, BY_TYPE[type === 'O' ? 'O' : 'P'].archive, { channelId: id });
  }

  /** Requires the permission in the team and on the channel: a private channel requires read access. */
  async requireRestore(actor: Actor, { id, teamId }: Channel): Promise<void> {
    await this.permissions.require(actor, TeamPermission.ManageTeam, { teamId });
    await this.permissions.require(actor, TeamPermission.ManageTeam, { channelId: id });
  }

  /** Throws `permissionDenied` for a private channel unless the caller manages its members. */
  async addRights(actor: Actor, { id, teamId, type }: Channel): Promise<AddRights> {
    if (type === 'P') {
      await this.permissions.require(actor, BY_TYPE.P.manageMembers, { channelId: id });
      return { self: true, others: true };
    }
    return {
      self: await this.permissions.hasOnTeam(actor, ChannelPermission.JoinPublicChannels, teamId),
      others: await this.permissions.hasOnChannel(actor, BY_TYPE.O.manageMembers, id),
    };
  }

  async requireRemove(actor: Actor, { id, type }: Channel, userId: string): Promise<void> {
    if (actor.userId === userId) return;
    await this.permissions.require(actor, BY_TYPE[type === 'O' ? 'O' : 'P'].manageMembers, { channelId: id });
  }

  private async canRead(actor: Actor, { id, teamId, type }: Channel): Promise<boolean> {
    if (type === 'O' && (await this.permissions.hasOnTeam(actor, CommonPermission.ReadPublicChannel, teamId)))
      return true;
    return this.permissions.hasOnChannel(actor, CommonPermission.ReadChannel, id);
  }
}

const isOfTeam = (type: string): type is 'O' | 'P' => type === 'O' || type === 'P';

/** Resolves `channel_id` in the path. The channel may not exist; an unknown channel grants no permissions. */
@Injectable()
export class ChannelScope implements ScopeResolver {
  resolve(params: PathParams): Scope {
    return { channelId: parseIdParam('channel_id', params['channel_id']) };
  }
}
