/** The roles that every server has. */
export const BUILT_IN_ROLES = [
  'system_admin',
  'system_user',
  'system_guest',
  'system_user_access_token',
  'system_post_all',
  'system_post_all_public',
  'team_user',
  'team_guest',
  'team_admin',
  'team_post_all',
  'team_post_all_public',
  'channel_user',
  'channel_guest',
  'channel_admin',
] as const;

/** The name of a built-in role. */
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

/** Whether a role is built in. */
export const isBuiltIn = (name: string): name is BuiltInRole => BUILT_IN_ROLES.some((role) => role === name);
