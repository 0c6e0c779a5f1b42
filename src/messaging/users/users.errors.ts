import type { Allowance } from '../../platform/scaling/shared-counts.js';
import { MAX_ANSWER_BYTES } from '../../platform/common/json-budget.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { InvalidBodyParam, ValidationFailed } from '../../platform/common/errors/common-errors.js';

export const userNotFound = () =>
  new AppError(404, 'app.user.missing_account.const', 'The account does not exist.');

export const usernameNotFound = () =>
  new AppError(404, 'app.user.get_by_username.app_error', 'No account has that name.');

export const accountsTooLarge = (field: string) =>
  new ValidationFailed(
    'api.user.list.too_large.app_error',
    field,
    `the accounts have more than ${MAX_ANSWER_BYTES} bytes in total: request fewer at once`,
  );

/** The account to change does not exist; for some calls the contract requires this instead of 404. */
export const unknownUser = () =>
  new ValidationFailed('app.user.missing_account.const', 'user_id', 'the account does not exist');

export class EmailExists extends ValidationFailed {
  constructor() {
    super('app.user.save.email_exists.app_error', 'email', 'an account with this address already exists');
  }
}

export class UsernameExists extends ValidationFailed {
  constructor() {
    super('app.user.save.username_exists.app_error', 'username', 'an account with this name already exists');
  }
}

/** Remote accounts cannot act or be changed here. `field` is the field that names the account. */
export const remoteUserRefused = (field = 'user_id') =>
  new ValidationFailed(
    'api.user.remote_user.app_error',
    field,
    'the account belongs to another server: it cannot sign in or be changed here',
  );

export const signUpDisabled = () =>
  new AppError(501, 'api.user.create_user.signup_email_disabled.app_error', 'Creating accounts is disabled.');

export const serverNotOpen = () =>
  new AppError(
    403,
    'api.user.create_user.no_open_server',
    'This server is not open: creating an account requires an invitation or an administrator.',
  );

export const lastAdministrator = () =>
  new ValidationFailed(
    'app.user.update.lastAdmin.app_error',
    'user_id',
    'the last administrator must remain an active administrator',
  );

export const activationRefused = () =>
  new AppError(
    403,
    'api.user.update_active.permissions.app_error',
    'You do not have the appropriate permissions to activate or deactivate accounts.',
  );

/** As the contract requires: users cannot deactivate their own account. */
export const selfDeactivationDisabled = () =>
  new AppError(401, 'api.user.update_active.not_enable.app_error', 'You cannot deactivate your own account.');

/** As the contract requires, 401: accounts can be deactivated, but not deleted permanently. */
export const permanentDeletionDisabled = (isAdmin: boolean) =>
  new AppError(
    401,
    isAdmin
      ? 'api.user.delete_user.not_enabled.for_admin.app_error'
      : 'api.user.delete_user.not_enabled.app_error',
    'Deleting accounts permanently is not available. Without `permanent` the account is deactivated.',
  );

export const passwordChangeRefused = () =>
  new AppError(
    403,
    'api.user.update_password.context.app_error',
    'You cannot change the password of this account.',
  );

/** Only users who may set other users' passwords may send a hash instead of a password. */
export const hashedPasswordRefused = () =>
  new AppError(
    401,
    'api.user.update_password.user_and_hashed.app_error',
    'You cannot set your own password as a hash.',
  );

/** Users change their own address only with the right password. */
export const passwordRequired = () =>
  new InvalidBodyParam('password', 'changing your own e-mail address requires your current password');

export const wrongCurrentPassword = () =>
  new ValidationFailed(
    'api.user.update_password.incorrect.app_error',
    'current_password',
    'it is not the password of the account',
  );

/** Error ids, and what there was too much of. */
const ATTEMPTS = {
  perNameAndAddress: [
    'api.user.check_user_login_attempts.too_many.app_error',
    'Too many wrong passwords from your address',
  ],
  perAddress: ['api.user.login.too_many_from_address.app_error', 'Too many failed logins from your address'],
  perName: [
    'api.user.login.too_many_for_name.app_error',
    'Too many wrong passwords for this name, from many addresses',
    'Addresses from which you have signed in before are not affected. ',
  ],
  signUpsPerAddress: [
    'api.user.create_user.too_many_from_address.app_error',
    'Too many accounts from your address',
  ],
  takenNames: ['api.user.update_user.too_many_taken.app_error', 'Too many taken names or e-mail addresses'],
} as const;

/** Too many attempts; includes the limit and when to retry. */
export function tooMany(kind: keyof typeof ATTEMPTS, { max, windowMs }: Allowance, waitMs: number): AppError {
  const [id, what, advice = ''] = ATTEMPTS[kind];
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `${what}: ${max} in ${windowMs / 60_000} minutes. ${advice}Try again in ${seconds} seconds.`;
  return new AppError(429, id, message, { headers: { 'Retry-After': String(seconds) } });
}

export const addressBusy = (maxWaiting: number) =>
  new AppError(
    429,
    'app.user.password.busy_from_address.app_error',
    `${maxWaiting} attempts from your address are already waiting. Try again in 5 seconds.`,
    { headers: { 'Retry-After': '5' } },
  );

export const passwordQueueFull = () =>
  new AppError(
    503,
    'app.user.password.busy.app_error',
    'Too many passwords are being checked at the moment; try again.',
    { headers: { 'Retry-After': '1' } },
  );

export const botNotFound = () =>
  new AppError(404, 'store.sql_bot.get.missing.app_error', 'The bot does not exist.');

export const botHasNoPassword = () =>
  new ValidationFailed(
    'api.user.update_password.bot.app_error',
    'user_id',
    'a bot has no password: use a token',
  );

export const botLoginForbidden = () =>
  new AppError(401, 'api.user.login.bot_login_forbidden.app_error', 'Bots cannot sign in: use a token.');

export const preferenceCategoryNotFound = () =>
  new AppError(404, 'app.preference.get_category.app_error', 'There are no preferences in that category.');

/** 400, as the contract requires. */
export const preferenceNotFound = () =>
  new ValidationFailed('app.preference.get.app_error', 'name', 'the preference does not exist');

export const foreignPreference = (id: string) =>
  new AppError(403, id, 'The user_id of a preference is not the user of the path.');
