import { AppError } from '../platform/common/errors/app-error.js';
import { FeatureDisabled, NotFound, ValidationFailed } from '../platform/common/errors/common-errors.js';

/** 404: unknown, deleted, or without a channel. */
export class IncomingHookNotFound extends NotFound {
  constructor() {
    super('app.webhooks.get_incoming.app_error', 'No such incoming webhook.');
  }
}

/** 501: ENABLE_INCOMING_WEBHOOKS is false. */
export class IncomingHooksDisabled extends FeatureDisabled {
  constructor() {
    super('api.incoming_webhook.disabled.app_error', 'Incoming webhooks are switched off on this server.');
  }
}

/** 400: the client sent an id, but the server assigns ids. */
export class IncomingHookIdGiven extends ValidationFailed {
  constructor() {
    super(
      'app.webhooks.save_incoming.existing.app_error',
      'id',
      'the server names a new webhook; leave it out.',
    );
  }
}

/** 400: the body names another team than the one of the webhook. */
export class TeamMismatch extends ValidationFailed {
  constructor() {
    super('api.webhook.team_mismatch.app_error', 'team_id', 'a webhook cannot move to another team.');
  }
}

/** 400: the name to post as is not a valid username. */
export class InvalidHookUsername extends ValidationFailed {
  constructor() {
    super(
      'api.incoming_webhook.invalid_username.app_error',
      'username',
      'it must be 1 to 64 of a–z, 0–9, dot, dash and underscore, and no reserved name.',
    );
  }
}

/** 400: the owner is a guest who cannot read the channel. */
export class OwnerIsGuestOutside extends ValidationFailed {
  constructor() {
    super(
      'api.incoming_webhook.owner_is_guest.app_error',
      'user_id',
      'the owner is a guest and not in the channel, so the webhook cannot post there.',
    );
  }
}

/** 400: the team has as many incoming webhooks as it may have. */
export class TooManyIncomingHooksInTeam extends AppError {
  readonly id = 'app.webhooks.incoming_per_team.app_error';
  readonly status = 400;
  constructor(readonly limit: number) {
    super(`A team may have ${limit} incoming webhooks at most. Delete some that are not used.`);
  }
}

/** 400: the owner has as many incoming webhooks in the team as one person may have. */
export class TooManyIncomingHooksOfUser extends AppError {
  readonly id = 'app.webhooks.incoming_per_user.app_error';
  readonly status = 400;
  constructor(readonly limit: number) {
    super(`One person may have ${limit} incoming webhooks in a team at most. Delete some that are not used.`);
  }
}
