import { definePermissions } from '../../platform/access/permission.js';

/** What accounts ask for. */
export const UserPermission = definePermissions({
  EditOtherUsers: ['edit_other_users'],
  SysconsoleReadUsers: ['sysconsole_read_user_management_users'],
  SysconsoleWriteUsers: ['sysconsole_write_user_management_users'],
  ViewMembers: ['view_members', 'system_user'],
});

/** Who may act for a user, for the API description. */
export const WHO_ACTS_FOR_USER = 'the user; others with `edit_other_users`, unless they may do more';
