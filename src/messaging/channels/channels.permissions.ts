import { definePermissions } from '../../platform/access/access.js';

/** Permissions for channels and their members. */
export const ChannelPermission = definePermissions({
  ListTeamChannels: ['list_team_channels', 'team_user'],
  JoinPublicChannels: ['join_public_channels', 'team_user'],
  CreatePublicChannel: ['create_public_channel', 'team_user'],
  CreatePrivateChannel: ['create_private_channel', 'team_user'],
  CreateDirectChannel: ['create_direct_channel', 'system_user', 'system_guest'],
  CreateGroupChannel: ['create_group_channel', 'system_user', 'system_guest'],
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

/** Who may read about a channel, for the API description. */
export const WHO_READS = '`read_channel`, or `read_public_channel` in the team for an open one';
