import { AppError } from '../../platform/common/errors/app-error.js';
import { ValidationFailed } from '../../platform/common/errors/common-errors.js';

export const blankPassword = () =>
  new ValidationFailed('api.user.login.blank_pwd.app_error', 'password', 'it must not be blank');

/** The password is wrong or the account does not exist; the error does not reveal which. */
export const invalidCredentials = () =>
  new AppError(
    401,
    'api.user.login.invalid_credentials_email_username',
    'Enter a valid e-mail address or username, and the password.',
  );

export const accountDeactivated = () =>
  new AppError(
    401,
    'api.user.login.inactive.app_error',
    'This account is deactivated. An administrator can activate it.',
  );

/** A session token was sent in the URL, which ends up in logs and browser histories. */
export const tokenInQuery = () =>
  new AppError(
    401,
    'api.context.token_provided.app_error',
    'A session token is not accepted as a query parameter; send it in the Authorization header.',
  );

/** 400, as the contract requires. */
export const sessionNotFound = () =>
  new ValidationFailed('app.session.get.app_error', 'session_id', 'the session does not exist');

export const userAccessTokensDisabled = () =>
  new AppError(501, 'app.user_access_token.disabled', 'Personal access tokens are disabled.');

export const userAccessTokenNotFound = () =>
  new AppError(404, 'app.user_access_token.get_by_user.app_error', 'The token does not exist.');
