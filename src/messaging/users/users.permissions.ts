import { definePermissions } from '../../platform/access/permission.js';

/** What accounts ask for. */
export const UserPermission = definePermissions({
  EditOtherUsers: ['edit_other_users'],
  SysconsoleReadUsers: ['sysconsole_read_user_management_users'],
  SysconsoleWriteUsers: ['sysconsole_write_user_management_users'],
  ViewMembers: ['view_members', 'system_user'],
});
