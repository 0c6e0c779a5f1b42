import { AppError } from '../platform/common/errors/app-error.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';

/** Unknown, deleted, or without a channel. */
export const incomingHookNotFound = () =>
  new AppError(404, 'app.webhooks.get_incoming.app_error', 'No such incoming webhook.');

/** ENABLE_INCOMING_WEBHOOKS is false. */
export const incomingHooksDisabled = () =>
  new AppError(
    501,
    'api.incoming_webhook.disabled.app_error',
    'Incoming webhooks are switched off on this server.',
  );

/** The client sent an ID, but the server assigns IDs. */
export const incomingHookIdGiven = () =>
  new ValidationFailed(
    'app.webhooks.save_incoming.existing.app_error',
    'id',
    'the server names a new webhook; leave it out.',
  );

/** The body names a different team than the webhook's. */
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
    'it must be 1 to 64 of a–z, 0–9, dot, dash and underscore, and no reserved name.',
  );

/** The owner is a guest who cannot read the channel. */
export const ownerIsGuestOutside = () =>
  new ValidationFailed(
    'api.incoming_webhook.owner_is_guest.app_error',
    'user_id',
    'the owner is a guest and not in the channel, so the webhook cannot post there.',
  );

/** The team has reached its limit of incoming webhooks. */
export const tooManyIncomingHooksInTeam = (limit: number) =>
  new AppError(
    400,
    'app.webhooks.incoming_per_team.app_error',
    `A team may have ${limit} incoming webhooks at most. Delete some that are not used.`,
  );

/** The owner has reached the limit of incoming webhooks per user in the team. */
export const tooManyIncomingHooksOfUser = (limit: number) =>
  new AppError(
    400,
    'app.webhooks.incoming_per_user.app_error',
    `One person may have ${limit} incoming webhooks in a team at most. Delete some that are not used.`,
  );
