import { AppError } from '../../platform/common/errors/app-error.js';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';

export const teamNotFound = () => new AppError(404, 'app.team.get.find.app_error', 'No such team.');

export const teamNameNotFound = () =>
  new AppError(404, 'app.team.get_by_name.missing.app_error', 'No team with that name.');

export const teamInviteNotFound = () =>
  new AppError(404, 'app.team.get_by_invite_id.finding.app_error', 'No team has that invite id.');

export const teamMemberNotFound = () =>
  new AppError(404, 'app.team.get_member.missing.app_error', 'The user is not a member of the team.');

export const teamNameTaken = () =>
  new ValidationFailed('app.team.save.existing.app_error', 'name', 'a team with that name already exists.');

/** An invite id refers to a team that is invite-only. */
export const teamNotOpen = () =>
  new AppError(403, 'api.team.get_invite_info.not_open_team', 'Users must be added to that team.');

/** The server assigns the ids of new teams. */
export const teamIdGiven = () =>
  new ValidationFailed(
    'store.sql_team.save_team.existing.app_error',
    'id',
    'the server assigns the id of a new team.',
  );

/** An archived team cannot be joined, and nothing can be created in it. */
export const teamIsArchived = () =>
  new ValidationFailed('app.team.archived.app_error', 'team_id', 'the team is archived.');

export const teamFull = (maxUsers: number) =>
  new ValidationFailed(
    'app.team.join_user_to_team.max_accounts.app_error',
    'team_id',
    `the team already has ${maxUsers} members.`,
  );

export const tooManyTeamsOfUser = (maxTeams: number) =>
  new ValidationFailed(
    'app.team.join_user_to_team.max_teams.app_error',
    'user_id',
    `the user is already in ${maxTeams} teams.`,
  );

/** Leaving or archiving a team does not free up the limit. */
export const tooManyOwnTeams = (maxTeams: number) =>
  new ValidationFailed(
    'api.team.create_team.max_own_teams.app_error',
    'name',
    `you have already created ${maxTeams} teams; a system administrator can create more.`,
  );

/** Additions by other users count toward a lower limit. */
export const addedToTooManyTeams = (maxTeams: number) =>
  new ValidationFailed(
    'app.team.join_user_to_team.max_by_others.app_error',
    'user_id',
    `the user is already in ${maxTeams} teams; only the user or a system administrator can add more.`,
  );

export const emailDomainRefused = () =>
  new ValidationFailed(
    'api.team.join_user_to_team.allowed_domains.app_error',
    'user_id',
    "the user's e-mail address is not in the team's allowed domains.",
  );

/** Only the user vouches for the address, which is not enough for a team with allowed domains. */
export const emailNotConfirmed = () =>
  new ValidationFailed(
    'api.team.join_user_to_team.unconfirmed_address.app_error',
    'user_id',
    'the team only accepts certain e-mail domains, and the address was not set by an administrator. A member of the team can add users with their sign-up address.',
  );

/** The creator's address is not in the team's allowed domains. */
export const creatorDomainRefused = () =>
  new ValidationFailed(
    'api.team.is_team_creation_allowed.domain.app_error',
    'allowed_domains',
    'your own e-mail address is not in these domains.',
  );

/** The body of a request to add a member is invalid. */
export const invalidTeamMemberBody = (message: string) =>
  new AppError(400, 'api.team.add_team_member.invalid_body.app_error', message);

export const inviteParameterMissing = () =>
  new AppError(
    400,
    'api.team.add_user_to_team.missing_parameter.app_error',
    'The query parameter invite_id or token is missing.',
  );

/** The server sends no invitations by e-mail, so no token is valid. */
export const inviteTokenInvalid = () =>
  new AppError(
    400,
    'api.user.create_user.signup_link_invalid.app_error',
    'Invalid token in request URL: the invitation does not exist.',
  );

export const teamCreationRefused = () =>
  new AppError(
    403,
    'api.team.is_team_creation_allowed.disabled.app_error',
    'You do not have permission to create teams.',
    { detail: 'permission=create_team' },
  );

export const teamListRefused = () =>
  new AppError(
    403,
    'api.team.get_all_teams.insufficient_permissions',
    'You do not have permission to list teams.',
  );

/** As the contract requires: teams can be archived, but not deleted permanently. */
export const permanentTeamDeletionDisabled = () =>
  new AppError(
    401,
    'api.user.delete_team.not_enabled.app_error',
    'Teams cannot be deleted permanently on this server; without permanent=true the team is archived.',
  );

/** The roles contradict each other, or are not allowed in this scope. */
export const memberRolesRefused = (id: string, reason: string) =>
  new AppError(400, id, `Invalid roles: ${reason}`);
