import { AppError } from '../platform/common/errors/app-error.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';

/** Unknown, deleted, or without a channel. */
export const incomingHookNotFound = () =>
  new AppError(404, 'app.webhooks.get_incoming.app_error', 'No such incoming webhook.');

export const incomingHooksDisabled = () =>
  new AppError(
    501,
    'api.incoming_webhook.disabled.app_error',
    'Incoming webhooks are switched off on this server.',
  );

export const incomingHookIdGiven = () =>
  new ValidationFailed(
    'app.webhooks.save_incoming.existing.app_error',
    'id',
    'the server assigns the id of a new webhook; omit it.',
  );

export const teamMismatch = () =>
  new ValidationFailed(
    'api.webhook.team_mismatch.app_error',
    'team_id',
    'a webhook cannot move to another team.',
  );

export const invalidHookUsername = () =>
  new ValidationFailed(
    'api.incoming_webhook.invalid_username.app_error',
    'username',
    'it must be 1 to 64 of a–z, 0–9, dot, dash and underscore, and not a reserved name.',
  );

export const tooManyIncomingHooksInTeam = (limit: number) =>
  new AppError(
    400,
    'app.webhooks.incoming_per_team.app_error',
    `A team can have at most ${limit} incoming webhooks. Delete unused ones.`,
  );

export const tooManyIncomingHooksOfUser = (limit: number) =>
  new AppError(
    400,
    'app.webhooks.incoming_per_user.app_error',
    `A user can have at most ${limit} incoming webhooks in a team. Delete unused ones.`,
  );
