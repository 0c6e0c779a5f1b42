import { AppError } from '../../../platform/common/errors/app-error.js';
import { ValidationFailed } from '../../../platform/common/errors/common-errors.js';

export const botNotFound = () =>
  new AppError(404, 'store.sql_bot.get.missing.app_error', 'There is no such bot.');

/** Bots have no passwords. */
export const botHasNoPassword = () =>
  new ValidationFailed(
    'api.user.update_password.bot.app_error',
    'user_id',
    'a bot has no password: give it a token',
  );

/** Nobody signs in with a bot, whatever the password. */
export const botLoginForbidden = () =>
  new AppError(
    401,
    'api.user.login.bot_login_forbidden.app_error',
    'Nobody signs in with a bot: it works with a token.',
  );
