import type { TLSSocket } from 'node:tls';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { Settings } from '../../platform/config/settings.js';
import { cookieValue, CSRF_COOKIE, TOKEN_COOKIE, USER_COOKIE } from './presented-token.js';
import { SESSION_LENGTH_MS } from './session.entity.js';

/** Sets and clears session cookies and headers (docs/contract/messaging.md#cookies). */
@Injectable()
export class SessionCookies {
  /** The cookie path: the subpath that the site is served from. */
  private readonly path: string;
  /** Whether the site uses TLS; its cookies are then always `secure`. */
  private readonly isSecureSite: boolean;

  constructor({ siteUrl }: Settings) {
    this.path = siteUrl === undefined ? '/' : new URL(siteUrl).pathname;
    this.isSecureSite = siteUrl?.startsWith('https:') ?? false;
  }

  /** Sends a new session: the token in a header, and cookies if the client identifies as a browser. */
  handOver(
    request: HttpRequest,
    response: Response,
    session: { token: string; userId: string; csrf: string },
  ): void {
    response.setHeader('Token', session.token);
    if (request.headers['x-requested-with'] === 'XMLHttpRequest') this.set(request, response, session);
  }

  /** Sets the cookies of a session. Without a CSRF token, the browser keeps its current one. */
  set(
    request: HttpRequest,
    response: Response,
    session: { token: string; userId: string; csrf?: string },
  ): void {
    const secure =
      this.isSecureSite ||
      request.headers['x-forwarded-proto'] === 'https' ||
      (request.socket as TLSSocket).encrypted === true;
    const options = { path: this.path, maxAge: SESSION_LENGTH_MS, secure, sameSite: 'lax' } as const;
    const csrf = session.csrf ?? cookieValue(request.headers.cookie, CSRF_COOKIE);
    response.cookie(TOKEN_COOKIE, session.token, { ...options, httpOnly: true });
    response.cookie(USER_COOKIE, session.userId, options);
    if (csrf !== undefined) response.cookie(CSRF_COOKIE, csrf, options);
  }

  clear(response: Response): void {
    const options = { path: this.path, maxAge: 0, secure: this.isSecureSite, sameSite: 'lax' } as const;
    response.cookie(TOKEN_COOKIE, '', { ...options, httpOnly: true });
  }
}
