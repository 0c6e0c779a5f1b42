import { definePermissions } from '../platform/access/access.js';

/** The permission for sample gizmos, and the built-in roles that have it; `system_admin` always has it. */
export const SampleGizmoPermission = definePermissions({
  ManageSampleGizmos: ['manage_sample_gizmos', 'team_admin'],
});
