import { AppError } from '../../../platform/common/errors/app-error.js';
import { NotFound, ValidationFailed } from '../../../platform/common/errors/common-errors.js';

export class BotNotFound extends NotFound {
  constructor() {
    super('store.sql_bot.get.missing.app_error', 'There is no such bot.');
  }
}

/** 400: bots have no passwords. */
export class BotHasNoPassword extends ValidationFailed {
  constructor() {
    super('api.user.update_password.bot.app_error', 'user_id', 'a bot has no password: give it a token');
  }
}

/** 401: nobody signs in with a bot, whatever the password. */
export class BotLoginForbidden extends AppError {
  readonly id = 'api.user.login.bot_login_forbidden.app_error';
  readonly status = 401;
  constructor() {
    super('Nobody signs in with a bot: it works with a token.');
  }
}
