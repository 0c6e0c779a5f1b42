import type { TLSSocket } from 'node:tls';
import type { Response } from 'express';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { cookieValue, CSRF_COOKIE, TOKEN_COOKIE, USER_COOKIE } from './presented-token.js';
import { SESSION_LENGTH_MS } from './session-lifetime.js';

/** The folder under which the site lives, for which cookies count. */
export function cookiePath(siteUrl: string | undefined): string {
  return siteUrl === undefined ? '/' : new URL(siteUrl).pathname;
}

/** Hands a browser its session (docs/contract/messaging.md#cookies). Without a CSRF token the one it has is kept. */
export function setSessionCookies(
  request: HttpRequest,
  response: Response,
  path: string,
  session: { token: string; userId: string; csrf?: string },
): void {
  const isSecure =
    request.headers['x-forwarded-proto'] === 'https' || (request.socket as TLSSocket).encrypted === true;
  const options = { path, maxAge: SESSION_LENGTH_MS, secure: isSecure };
  const csrf = session.csrf ?? cookieValue(request.headers.cookie, CSRF_COOKIE);
  response.cookie(TOKEN_COOKIE, session.token, { ...options, httpOnly: true });
  response.cookie(USER_COOKIE, session.userId, options);
  if (csrf !== undefined) response.cookie(CSRF_COOKIE, csrf, options);
}

/** Takes the token, and only it, away from a browser. */
export function clearTokenCookie(response: Response, path: string): void {
  response.cookie(TOKEN_COOKIE, '', { path, maxAge: 0, httpOnly: true });
}
