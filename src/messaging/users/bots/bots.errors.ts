import { AppError } from '../../../platform/common/errors/app-error.js';
import { ValidationFailed } from '../../../platform/common/errors/common-errors.js';
import { definePermissions } from '../../../platform/access/access.js';

export const botNotFound = () =>
  new AppError(404, 'store.sql_bot.get.missing.app_error', 'There is no such bot.');

/** Bots have no passwords. */
export const botHasNoPassword = () =>
  new ValidationFailed(
    'api.user.update_password.bot.app_error',
    'user_id',
    'a bot has no password: give it a token',
  );

/** Bots cannot sign in, whatever the password. */
export const botLoginForbidden = () =>
  new AppError(
    401,
    'api.user.login.bot_login_forbidden.app_error',
    'Nobody signs in with a bot: it works with a token.',
  );

/** Permissions for bots. */
export const BotPermission = definePermissions({
  CreateBot: ['create_bot'],
  ReadBots: ['read_bots'],
  ReadOthersBots: ['read_others_bots'],
  ManageBots: ['manage_bots'],
  ManageOthersBots: ['manage_others_bots'],
});
