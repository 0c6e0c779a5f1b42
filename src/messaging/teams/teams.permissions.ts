import { definePermissions } from '../../platform/access/access.js';

/** Permissions for teams and their members. */
export const TeamPermission = definePermissions({
  ReadOtherUsersTeams: ['read_other_users_teams'],
  ListPublicTeams: ['list_public_teams', 'system_user'],
  ListPrivateTeams: ['list_private_teams'],
  JoinPublicTeams: ['join_public_teams', 'system_user'],
  JoinPrivateTeams: ['join_private_teams'],
  CreateTeam: ['create_team', 'system_user'],
  ManageTeam: ['manage_team', 'team_admin'],
  ManageTeamRoles: ['manage_team_roles', 'team_admin'],
  ImportTeam: ['import_team', 'team_admin'],
  InviteUser: ['invite_user', 'team_user'],
  AddUserToTeam: ['add_user_to_team', 'team_user'],
  RemoveUserFromTeam: ['remove_user_from_team', 'team_admin'],
});
