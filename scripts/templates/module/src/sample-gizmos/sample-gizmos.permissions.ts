import { definePermissions } from '../platform/access/access.js';

/** What sample gizmos ask for, and the built-in roles that get it; `system_admin` always has it. */
export const SampleGizmoPermission = definePermissions({
  ManageSampleGizmos: ['manage_sample_gizmos', 'team_admin'],
});
