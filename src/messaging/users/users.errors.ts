import type { Allowance } from '../../platform/scaling/event-counts.js';
import { MAX_ANSWER_BYTES } from '../../platform/common/json-budget.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { FeatureDisabled, NotFound, ValidationFailed } from '../../platform/common/errors/common-errors.js';

export class UserNotFound extends NotFound {
  constructor() {
    super('app.user.missing_account.const', 'There is no such account.');
  }
}

export class UsernameNotFound extends NotFound {
  constructor() {
    super('app.user.get_by_username.app_error', 'There is no account with that name.');
  }
}

/** 400: the accounts that a request names are too large for one answer. */
export class AccountsTooLarge extends ValidationFailed {
  constructor(field: string) {
    super(
      'api.user.list.too_large.app_error',
      field,
      `the accounts have more than ${MAX_ANSWER_BYTES} bytes together: ask for fewer at once`,
    );
  }
}

/** 400: the account to change does not exist; for some calls the contract requires this instead of 404. */
export class UnknownUser extends ValidationFailed {
  constructor() {
    super('app.user.missing_account.const', 'user_id', 'there is no such account');
  }
}

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

/** 400: accounts of other servers cannot act or be changed here. `field` is the field that names the account. */
export class RemoteUserRefused extends ValidationFailed {
  constructor(field = 'user_id') {
    super(
      'api.user.remote_user.app_error',
      field,
      'the account belongs to another server: it cannot sign in or be changed here',
    );
  }
}

/** 501: ENABLE_USER_CREATION is off. */
export class SignUpDisabled extends FeatureDisabled {
  constructor() {
    super('api.user.create_user.signup_email_disabled.app_error', 'Creating accounts is switched off.');
  }
}

/** 403: nobody invited the new user, and the server is not open. */
export class ServerNotOpen extends AppError {
  readonly id = 'api.user.create_user.no_open_server';
  readonly status = 403;
  constructor() {
    super('This server is not open: an invitation or an administrator is needed to create an account.');
  }
}

/** 400: a change would leave the server without an administrator. */
export class LastAdministrator extends ValidationFailed {
  constructor() {
    super(
      'app.user.update.lastAdmin.app_error',
      'user_id',
      'the last administrator must stay one, and active',
    );
  }
}

export class ActivationRefused extends AppError {
  readonly id = 'api.user.update_active.permissions.app_error';
  readonly status = 403;
  constructor() {
    super('You do not have the appropriate permissions to activate or deactivate accounts.');
  }
}

/** 401, as the contract requires: users cannot deactivate their own account. */
export class SelfDeactivationDisabled extends AppError {
  readonly id = 'api.user.update_active.not_enable.app_error';
  readonly status = 401;
  constructor() {
    super('You cannot deactivate your own account.');
  }
}

/** 401, as the contract requires: accounts can be deactivated, but not deleted permanently. */
export class PermanentDeletionDisabled extends AppError {
  readonly id: string;
  readonly status = 401;
  constructor(isAdmin: boolean) {
    super('Deleting accounts for good is not available. Without `permanent` the account is deactivated.');
    this.id = isAdmin
      ? 'api.user.delete_user.not_enabled.for_admin.app_error'
      : 'api.user.delete_user.not_enabled.app_error';
  }
}

export class PasswordChangeRefused extends AppError {
  readonly id = 'api.user.update_password.context.app_error';
  readonly status = 403;
  constructor() {
    super('You cannot change the password of this account.');
  }
}

export class WrongCurrentPassword extends ValidationFailed {
  constructor() {
    super(
      'api.user.update_password.incorrect.app_error',
      'current_password',
      'it is not the password of the account',
    );
  }
}

/** 429: too many attempts; it says what the limit is, and when to try again. */
abstract class TooManyAttempts extends AppError {
  readonly status = 429;
  override readonly headers: Readonly<Record<string, string>>;
  constructor(what: string, { max, windowMs }: Allowance, waitMs: number, advice = '') {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    super(`${what}: ${max} in ${windowMs / 60_000} minutes. ${advice}Try again in ${seconds} seconds.`);
    this.headers = { 'Retry-After': String(seconds) };
  }
}

/** 429: too many wrong passwords for one name from one address. */
export class TooManyWrongPasswords extends TooManyAttempts {
  readonly id = 'api.user.check_user_login_attempts.too_many.app_error';
  constructor(limit: Allowance, waitMs: number) {
    super('Too many wrong passwords from your address', limit, waitMs);
  }
}

/** 429: too many wrong passwords from one address. */
export class TooManyFromAddress extends TooManyAttempts {
  readonly id = 'api.user.login.too_many_from_address.app_error';
  constructor(limit: Allowance, waitMs: number) {
    super('Too many failed logins from your address', limit, waitMs);
  }
}

/** 429: too many wrong passwords for one name, from many addresses. */
export class TooManyForName extends TooManyAttempts {
  readonly id = 'api.user.login.too_many_for_name.app_error';
  constructor(limit: Allowance, waitMs: number) {
    const advice = 'Addresses from which you have signed in before are not affected. ';
    super('Too many wrong passwords for this name, from many addresses', limit, waitMs, advice);
  }
}

/** 429: too many sign-ups from one address. */
export class TooManySignUps extends TooManyAttempts {
  readonly id = 'api.user.create_user.too_many_from_address.app_error';
  constructor(limit: Allowance, waitMs: number) {
    super('Too many accounts from your address', limit, waitMs);
  }
}

/** 429: somebody asked for too many names or addresses that others have. */
export class TooManyTakenNames extends TooManyAttempts {
  readonly id = 'api.user.update_user.too_many_taken.app_error';
  constructor(limit: Allowance, waitMs: number) {
    super('Too many names or e-mail addresses that others have', limit, waitMs);
  }
}

/** 429: too many attempts from one address are waiting. */
export class AddressBusy extends AppError {
  readonly id = 'app.user.password.busy_from_address.app_error';
  readonly status = 429;
  override readonly headers = { 'Retry-After': '5' };
  constructor(maxWaiting: number) {
    super(`${maxWaiting} attempts from your address are waiting already. Try again in 5 seconds.`);
  }
}

/** 503: too many passwords are waiting to be checked. */
export class PasswordQueueFull extends AppError {
  readonly id = 'app.user.password.busy.app_error';
  readonly status = 503;
  override readonly headers = { 'Retry-After': '1' };
  constructor() {
    super('Too many passwords are being checked at the moment; try again.');
  }
}
