import { definePermissions } from '../../platform/access/access.js';

/**
 * Permissions that belong to no single module: administration, permissions checked below the teams and
 * channels modules, and `manage_webhooks`, which both kinds of webhooks share.
 */
export const CommonPermission = definePermissions({
  ManageSystem: ['manage_system'],
  ManageRoles: ['manage_roles'],
  SysconsoleWritePermissions: ['sysconsole_write_user_management_permissions'],
  SysconsoleWriteSystemRoles: ['sysconsole_write_user_management_system_roles'],
  ManageWebhooks: ['manage_webhooks', 'team_admin'],
  ViewTeam: ['view_team', 'team_user'],
  ReadPublicChannel: ['read_public_channel', 'team_user'],
  ReadChannel: ['read_channel', 'channel_user'],
  ReadChannelContent: ['read_channel_content', 'channel_user'],
});
