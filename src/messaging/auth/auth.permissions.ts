import { definePermissions } from '../../platform/access/access.js';

/** Permissions for personal access tokens. */
export const AuthPermission = definePermissions({
  CreateUserAccessToken: ['create_user_access_token', 'system_user_access_token'],
  ReadUserAccessToken: ['read_user_access_token', 'system_user_access_token'],
  RevokeUserAccessToken: ['revoke_user_access_token', 'system_user_access_token'],
});
