import { AppError } from '../../platform/common/errors/app-error.js';
import { FeatureDisabled, NotFound, ValidationFailed } from '../../platform/common/errors/common-errors.js';

/** 400: the password is missing or unreadable. */
export class BlankPassword extends ValidationFailed {
  constructor() {
    super('api.user.login.blank_pwd.app_error', 'password', 'it must not be blank');
  }
}

/** 401: the password is wrong, or the account does not exist; the error does not tell which. */
export class InvalidCredentials extends AppError {
  readonly id = 'api.user.login.invalid_credentials_email_username';
  readonly status = 401;
  constructor() {
    super('Enter a valid e-mail address or username, and the password.');
  }
}

export class AccountDeactivated extends AppError {
  readonly id = 'api.user.login.inactive.app_error';
  readonly status = 401;
  constructor() {
    super('This account is deactivated. An administrator can activate it.');
  }
}

/** 401: a session token was sent in the URL, which ends up in logs and browser histories. */
export class TokenInQuery extends AppError {
  readonly id = 'api.context.token_provided.app_error';
  readonly status = 401;
  constructor() {
    super('A session token is not accepted as a query parameter; send it in the Authorization header.');
  }
}

/** 400, as the contract requires. */
export class SessionNotFound extends ValidationFailed {
  constructor() {
    super('app.session.get.app_error', 'session_id', 'there is no such session');
  }
}

export class UserAccessTokensDisabled extends FeatureDisabled {
  constructor() {
    super('app.user_access_token.disabled', 'Personal access tokens are switched off.');
  }
}

export class UserAccessTokenNotFound extends NotFound {
  constructor() {
    super('app.user_access_token.get_by_user.app_error', 'There is no such token.');
  }
}
