import { AppError } from './app-error.js';

/** 400: the body or one of its fields is invalid. */
export class InvalidBodyParam extends AppError {
  constructor(
    readonly param: string,
    reason?: string,
  ) {
    super(400, 'api.context.invalid_body_param.app_error', invalid(param, 'request body', reason));
  }
}

/** 400: a path or query parameter is invalid. */
export class InvalidUrlParam extends AppError {
  constructor(
    readonly param: string,
    readonly reason?: string,
  ) {
    super(400, 'api.context.invalid_url_param.app_error', invalid(param, 'request URL', reason));
  }
}

function invalid(param: string, where: string, reason?: string): string {
  return reason ? `Invalid ${param} in ${where}: ${reason}` : `Invalid or missing ${param} in ${where}.`;
}

/** A query parameter is invalid; stock servers respond with the error id for bodies here. */
export const invalidQueryParam = (param: string, reason: string) =>
  new AppError(
    400,
    'api.context.invalid_body_param.app_error',
    `Invalid query parameter ${param}: ${reason}`,
  );

/** A parameter has the right type, but this operation does not accept its value. */
export const invalidParam = (param: string) =>
  new AppError(400, 'api.context.invalid_param.app_error', `Invalid ${param} parameter.`);

/** 400: a record breaks one of its rules; `id` is the contract's id for that rule. */
export class ValidationFailed extends AppError {
  constructor(
    id: string,
    readonly field: string,
    reason: string,
  ) {
    super(400, id, `Invalid ${field}: ${reason}`);
  }
}

/** The caller is not signed in, or the session has ended. */
export const sessionExpired = (detail = '') =>
  new AppError(
    401,
    'api.context.session_expired.app_error',
    'Invalid or expired session, please login again.',
    { detail },
  );

/** The caller lacks a permission. */
export const permissionDenied = (permission: string) =>
  new AppError(
    403,
    'api.context.permissions.app_error',
    `You do not have the appropriate permissions: ${permission} is missing.`,
    { detail: `permission=${permission}` },
  );

/** Matches possible tokens and ids of incoming webhooks. */
const SECRET = /[a-z0-9]{26,}/gi;

/** 404: no such route. Its detail is always sent (docs/contract/conventions.md#responses). */
export class RouteNotFound extends AppError {
  constructor(path: string) {
    super(
      404,
      'api.context.404.app_error',
      'The path or the method does not exist. /api/docs lists all calls.',
      {
        detail: `There doesn't appear to be an api call for the url='${path.replace(SECRET, '…')}'.`,
      },
    );
  }
}

/** The body exceeds the limit and was not read completely. */
export const requestBodyTooLarge = (limitBytes: number) =>
  new AppError(
    413,
    'api.context.request_body_too_large.app_error',
    `The request body is larger than the limit of ${limitBytes} bytes.`,
  );

/** The request itself is malformed, before any route sees it. */
export const badRequest = (message: string) =>
  new AppError(400, 'api.context.bad_request.app_error', message);

/** The URL is longer than 2048 characters. */
export const urlTooLong = () =>
  new AppError(414, 'basic_security_check.url.too_long_error', 'The URL is longer than 2048 characters.');

/** The request did not arrive completely in time. */
export const requestTimeout = () =>
  new AppError(
    408,
    'api.context.request_timeout.app_error',
    'The request did not arrive completely in time.',
  );

/** An address has too many unanswered requests, or too many bytes of them. */
export const tooManyRequests = (limit: string) =>
  new AppError(
    429,
    'api.context.too_many_requests.app_error',
    `Too many requests are waiting: the limit is ${limit}. Try again in a second.`,
    { headers: { 'Retry-After': '1' } },
  );

/** The request line and headers exceed 16 KiB. */
export const headersTooLarge = () =>
  new AppError(
    431,
    'api.context.headers_too_large.app_error',
    'The URL and headers of the request are too large.',
  );

/** 503: the database cannot be reached or cannot write. After a broken commit the outcome may be unknown. */
export class DatabaseUnavailable extends AppError {
  constructor(
    cause?: unknown,
    readonly outcome: 'nothing stored' | 'unknown' = 'nothing stored',
  ) {
    const message =
      outcome === 'unknown'
        ? 'The connection to the database was lost during the write. It may be stored or not: check before you repeat the call, or repeat it with the same idempotency key.'
        : 'The database is not available at the moment. Nothing was stored; try again later.';
    super(503, 'app.database.unavailable.app_error', message, { headers: { 'Retry-After': '5' }, cause });
  }
}

/** A bug or an unexpected failure. Reveals nothing about its cause. */
export const internalError = () =>
  new AppError(
    500,
    'api.context.internal_error.app_error',
    'Something went wrong on the server. The log contains the details under this request id.',
  );
