import { AppError } from './app-error.js';

/** 400: the body or one of its fields is invalid. */
export class InvalidBodyParam extends AppError {
  readonly id = 'api.context.invalid_body_param.app_error';
  readonly status = 400;
  constructor(
    readonly param: string,
    reason?: string,
  ) {
    super(
      reason ? `Invalid ${param} in request body: ${reason}` : `Invalid or missing ${param} in request body.`,
    );
  }
}

/** 400: a path or query parameter is invalid. */
export class InvalidUrlParam extends AppError {
  readonly id = 'api.context.invalid_url_param.app_error';
  readonly status = 400;
  constructor(
    readonly param: string,
    reason?: string,
  ) {
    super(
      reason ? `Invalid ${param} in request URL: ${reason}` : `Invalid or missing ${param} in request URL.`,
    );
  }
}

/** 400: a query parameter is invalid, where stock servers answer with the id of the body's errors. */
export class InvalidQueryParam extends AppError {
  readonly id = 'api.context.invalid_body_param.app_error';
  readonly status = 400;
  constructor(
    readonly param: string,
    reason: string,
  ) {
    super(`Invalid query parameter ${param}: ${reason}`);
  }
}

/** 400: a parameter has the right type, but this operation does not accept its value. */
export class InvalidParam extends AppError {
  readonly id = 'api.context.invalid_param.app_error';
  readonly status = 400;
  constructor(readonly param: string) {
    super(`Invalid ${param} parameter.`);
  }
}

/** 400: a record breaks one of its rules; `id` is the contract's id for that rule. */
export class ValidationFailed extends AppError {
  readonly status = 400;
  constructor(
    readonly id: string,
    readonly field: string,
    reason: string,
  ) {
    super(`Invalid ${field}: ${reason}`);
  }
}

/** 401: the caller is not signed in, or the session has ended. */
export class SessionExpired extends AppError {
  readonly id = 'api.context.session_expired.app_error';
  readonly status = 401;
  constructor(override readonly detail = '') {
    super('Invalid or expired session, please login again.');
  }
}

/** 403: the caller lacks a permission. */
export class PermissionDenied extends AppError {
  readonly id = 'api.context.permissions.app_error';
  readonly status = 403;
  override readonly detail: string;
  constructor(readonly permission: string) {
    super('You do not have the appropriate permissions.');
    this.detail = `permission=${permission}`;
  }
}

/** What may be a token or the id of an incoming webhook. */
const SECRET = /[a-z0-9]{26,}/gi;

/** 404: no such route. Its detail is always sent (docs/contract/conventions.md#responses). */
export class RouteNotFound extends AppError {
  readonly id = 'api.context.404.app_error';
  readonly status = 404;
  override readonly detail: string;
  constructor(path: string) {
    super('There is no such call, or not with this method. /api/docs lists all calls.');
    this.detail = `There doesn't appear to be an api call for the url='${path.replace(SECRET, '…')}'.`;
  }
}

/** 413: the body exceeds the limit and was not read completely. */
export class RequestBodyTooLarge extends AppError {
  readonly id = 'api.context.request_body_too_large.app_error';
  readonly status = 413;
  constructor(readonly limitBytes: number) {
    super(`The request body is larger than the limit of ${limitBytes} bytes.`);
  }
}

/** 400: the request itself is malformed, before any route sees it. */
export class BadRequest extends AppError {
  readonly id = 'api.context.bad_request.app_error';
  readonly status = 400;
}

/** 414: the URL is longer than 2048 characters. */
export class UrlTooLong extends AppError {
  readonly id = 'basic_security_check.url.too_long_error';
  readonly status = 414;
  constructor() {
    super('The URL is longer than 2048 characters.');
  }
}

/** 408: the request did not arrive completely in time. */
export class RequestTimeout extends AppError {
  readonly id = 'api.context.request_timeout.app_error';
  readonly status = 408;
  constructor() {
    super('The request did not arrive completely in time.');
  }
}

/** 429: more unanswered requests, or bytes of them, than one address may have. */
export class TooManyRequests extends AppError {
  readonly id = 'api.context.too_many_requests.app_error';
  readonly status = 429;
  override readonly headers = { 'Retry-After': '1' };
  /** What there is at most. */
  constructor(limit: string) {
    super(`Too many requests are waiting for their answers: ${limit} may. Try again in a second.`);
  }
}

/** 431: the request line and headers exceed 16 KiB. */
export class HeadersTooLarge extends AppError {
  readonly id = 'api.context.headers_too_large.app_error';
  readonly status = 431;
  constructor() {
    super('The URL and headers of the request are too large.');
  }
}

/**
 * 503: the database cannot be reached or cannot write. Nothing was stored, unless the connection broke during a commit:
 * then the outcome is unknown, and the message says so.
 */
export class DatabaseUnavailable extends AppError {
  readonly id = 'app.database.unavailable.app_error';
  readonly status = 503;
  override readonly headers = { 'Retry-After': '5' };
  override readonly cause: unknown;
  constructor(
    cause?: unknown,
    readonly outcome: 'nothing stored' | 'unknown' = 'nothing stored',
  ) {
    super(
      outcome === 'unknown'
        ? 'The connection to the database was lost while this was being stored. It may be stored or not: check before you repeat the call, or repeat it with the same idempotency key.'
        : 'The database is not available at the moment. Nothing was stored; try again later.',
    );
    this.cause = cause;
  }
}

/** 501: a feature is switched off in the settings. */
export class FeatureDisabled extends AppError {
  readonly status = 501;
  constructor(
    readonly id: string,
    message: string,
  ) {
    super(message);
  }
}

/** 404: something does not exist; `id` is the contract's id for its kind. */
export class NotFound extends AppError {
  readonly status = 404;
  constructor(
    readonly id: string,
    message: string,
  ) {
    super(message);
  }
}

/** 500: a bug or an unexpected failure. Reveals nothing about its cause. */
export class InternalError extends AppError {
  readonly id = 'api.context.internal_error.app_error';
  readonly status = 500;
  constructor() {
    super('Something went wrong on the server. The log has the details under this request id.');
  }
}
