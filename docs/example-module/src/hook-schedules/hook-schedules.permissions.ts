import { definePermissions } from '../platform/access/access.js';

/** The permission and the built-in roles that get it. `system_admin` always has it. */
export const HookSchedulePermission = definePermissions({
  ManageHookSchedules: ['manage_hook_schedules', 'team_admin'],
});
