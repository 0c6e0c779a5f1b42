import { definePermissions } from '../platform/access/permission.js';

/** The permission of secure connections. */
export const RemoteClusterPermission = definePermissions({
  ManageSecureConnections: ['manage_secure_connections'],
});
