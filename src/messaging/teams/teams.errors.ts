import { AppError } from '../../platform/common/errors/app-error.js';
import { NotFound, ValidationFailed } from '../../platform/common/errors/common-errors.js';

export class TeamNotFound extends NotFound {
  constructor() {
    super('app.team.get.find.app_error', 'No such team.');
  }
}

export class TeamNameNotFound extends NotFound {
  constructor() {
    super('app.team.get_by_name.missing.app_error', 'No team with that name.');
  }
}

export class TeamInviteNotFound extends NotFound {
  constructor() {
    super('app.team.get_by_invite_id.finding.app_error', 'No team has that invite id.');
  }
}

export class TeamMemberNotFound extends NotFound {
  constructor() {
    super('app.team.get_member.missing.app_error', 'The user is not a member of the team.');
  }
}

export class TeamNameTaken extends ValidationFailed {
  constructor() {
    super('app.team.save.existing.app_error', 'name', 'a team with that name already exists.');
  }
}

/** 403: an invite id leads to a team that people join by invitation only. */
export class TeamNotOpen extends AppError {
  readonly id = 'api.team.get_invite_info.not_open_team';
  readonly status = 403;
  constructor() {
    super('That team is for people who are added to it.');
  }
}

/** 400: the server assigns the ids of new teams. */
export class TeamIdGiven extends ValidationFailed {
  constructor() {
    super('store.sql_team.save_team.existing.app_error', 'id', 'the server assigns the id of a new team.');
  }
}

/** 400: nobody joins an archived team, and nothing is made in it. */
export class TeamIsArchived extends ValidationFailed {
  constructor() {
    super('app.team.archived.app_error', 'team_id', 'the team is archived.');
  }
}

export class TeamFull extends ValidationFailed {
  constructor(maxUsers: number) {
    super(
      'app.team.join_user_to_team.max_accounts.app_error',
      'team_id',
      `the team already has ${maxUsers} members.`,
    );
  }
}

export class TooManyTeamsOfUser extends ValidationFailed {
  constructor(maxTeams: number) {
    super(
      'app.team.join_user_to_team.max_teams.app_error',
      'user_id',
      `the user is already in ${maxTeams} teams.`,
    );
  }
}

/** 400: leaving a team, or archiving it, makes no room for another. */
export class TooManyOwnTeams extends ValidationFailed {
  constructor(maxTeams: number) {
    super(
      'api.team.create_team.max_own_teams.app_error',
      'name',
      `you have already made ${maxTeams} teams; an administrator of the system can make more.`,
    );
  }
}

/** 400: what others add takes only a part of the room for teams. */
export class AddedToTooManyTeams extends ValidationFailed {
  constructor(maxTeams: number) {
    super(
      'app.team.join_user_to_team.max_by_others.app_error',
      'user_id',
      `the user is already in ${maxTeams} teams; more they join themselves, or an administrator of the system adds them.`,
    );
  }
}

export class EmailDomainRefused extends ValidationFailed {
  constructor() {
    super(
      'api.team.join_user_to_team.allowed_domains.app_error',
      'user_id',
      "the user's e-mail address is not in the team's allowed domains.",
    );
  }
}

/** 400: only the user says that the address is theirs, which does not open a team of certain domains. */
export class EmailNotConfirmed extends ValidationFailed {
  constructor() {
    super(
      'api.team.join_user_to_team.unconfirmed_address.app_error',
      'user_id',
      'the team takes only addresses of certain domains, and no administrator has set this address. A member of the team can add somebody with the address of their sign-up.',
    );
  }
}

/** 400: the creator's address is not in the team's allowed domains. */
export class CreatorDomainRefused extends ValidationFailed {
  constructor() {
    super(
      'api.team.is_team_creation_allowed.domain.app_error',
      'allowed_domains',
      'your own e-mail address is not in these domains.',
    );
  }
}

/** 400: the body of a request to add a member is invalid. */
export class InvalidTeamMemberBody extends AppError {
  readonly id = 'api.team.add_team_member.invalid_body.app_error';
  readonly status = 400;
}

export class InviteParameterMissing extends AppError {
  readonly id = 'api.team.add_user_to_team.missing_parameter.app_error';
  readonly status = 400;
  constructor() {
    super('Name the invite in the query parameter invite_id or token.');
  }
}

/** 400: the server sends no invitations by e-mail, so no token is valid. */
export class InviteTokenInvalid extends AppError {
  readonly id = 'api.user.create_user.signup_link_invalid.app_error';
  readonly status = 400;
  constructor() {
    super('Invalid token in request URL: there is no such invitation.');
  }
}

export class GuestInviteRefused extends AppError {
  readonly id = 'api.team.add_user_to_team_from_invite.guest.app_error';
  readonly status = 403;
  constructor() {
    super('Guests cannot join a team by its invite id.');
  }
}

export class TeamCreationRefused extends AppError {
  readonly id = 'api.team.is_team_creation_allowed.disabled.app_error';
  readonly status = 403;
  override readonly detail = 'permission=create_team';
  constructor() {
    super('You do not have permission to create teams.');
  }
}

export class TeamListRefused extends AppError {
  readonly id = 'api.team.get_all_teams.insufficient_permissions';
  readonly status = 403;
  constructor() {
    super('You do not have permission to list teams.');
  }
}

/** 401, as the contract requires: teams can be archived, but not deleted permanently. */
export class PermanentTeamDeletionDisabled extends AppError {
  readonly id = 'api.user.delete_team.not_enabled.app_error';
  readonly status = 401;
  constructor() {
    super('Teams cannot be deleted permanently on this server; without permanent=true the team is archived.');
  }
}
