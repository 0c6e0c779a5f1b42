import { definePermissions } from '../platform/access/permission.js';

/** What secure connections ask for. */
export const RemoteClusterPermission = definePermissions({
  ManageSecureConnections: ['manage_secure_connections'],
});
