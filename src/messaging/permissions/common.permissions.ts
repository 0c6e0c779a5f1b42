import { definePermissions } from '../../platform/access/permission.js';

/**
 * Permissions that belong to no single module above: those of administration, those that permissions and users ask for
 * before they show a team or a channel, and `manage_webhooks`. Webhooks of both directions ask for that one and do not
 * import each other, so it is here, in the first module that both may import.
 */
export const CommonPermission = definePermissions({
  ManageSystem: ['manage_system'],
  ManageRoles: ['manage_roles'],
  SysconsoleWritePermissions: ['sysconsole_write_user_management_permissions'],
  SysconsoleWriteSystemRoles: ['sysconsole_write_user_management_system_roles'],
  ManageWebhooks: ['manage_webhooks', 'team_admin'],
  ViewTeam: ['view_team', 'team_user', 'team_guest'],
  ReadPublicChannel: ['read_public_channel', 'team_user'],
  ReadChannel: ['read_channel', 'channel_user', 'channel_guest'],
  ReadChannelContent: ['read_channel_content', 'channel_user', 'channel_guest'],
});
