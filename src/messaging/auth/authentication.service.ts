import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../platform/common/clock.js';
import { sessionExpired } from '../../platform/common/errors/common-errors.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { type Actor, ANONYMOUS } from '../permissions/actor.js';
import { tokenInQuery } from './auth.errors.js';
import { type PresentedToken, presentedToken, tokenHash } from './presented-token.js';
import { SessionActivity } from './session-activity.js';
import { SessionCookies } from './session-cookies.js';
import { type KnownToken, TokenCache } from './token-cache.js';

const NO_CSRF = 'A cookie came without a CSRF token.';
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Identifies the caller of a request by its token (docs/contract/conventions.md#credentials). Tokens are cached. */
@Injectable()
export class AuthenticationService {
  constructor(
    private readonly tokens: TokenCache,
    private readonly activity: SessionActivity,
    private readonly clock: Clock,
    private readonly cookies: SessionCookies,
  ) {}

  /**
   * The caller; anonymous without a valid token. Throws `tokenInQuery` for a token in the URL, and
   * `sessionExpired` if the route requires a session but the cookie comes without a CSRF token.
   */
  async actorOf(request: HttpRequest, response: Response, requiresSession: boolean): Promise<Actor> {
    const presented = presentedToken(request.headers, request.url);
    const known = presented && (await this.find(presented.token));
    if (!known) {
      if (requiresSession) this.cookies.clear(response);
      return ANONYMOUS;
    }
    if (presented.location === 'query') throw tokenInQuery();
    if (presented.location === 'cookie' && !isOwnPage(request, known)) {
      if (requiresSession) throw sessionExpired(NO_CSRF);
      return ANONYMOUS; // another site must not act with the caller's permissions, not even on public routes
    }
    if (this.activity.touch(known) && presented.location === 'cookie')
      this.renewCookies(request, response, presented, known);
    return known.actor;
  }

  /**
   * The token of a sign-out request; undefined if not valid. Throws `tokenInQuery`, and `sessionExpired` for
   * a cookie without a CSRF token: another site must not sign a user out.
   */
  async tokenToEnd(request: HttpRequest): Promise<string | undefined> {
    const presented = presentedToken(request.headers, request.url);
    const known = presented && (await this.find(presented.token));
    if (!known) return undefined;
    if (presented.location === 'query') throw tokenInQuery();
    if (presented.location === 'cookie' && !isOwnPage(request, known)) throw sessionExpired(NO_CSRF);
    return presented.token;
  }

  /** The user of a token, such as from a WebSocket authentication challenge; null if it is not valid. */
  async actorOfToken(token: string): Promise<Actor | null> {
    return (await this.find(token))?.actor ?? null;
  }

  /** Like actorOfToken, with the token's expiry; 0 = never. */
  async lifeOfToken(token: string): Promise<Pick<KnownToken, 'actor' | 'expiresAt'> | null> {
    return (await this.find(token)) ?? null;
  }

  private async find(token: string): Promise<KnownToken | undefined> {
    const known = await this.tokens.find(token);
    if (!known) return undefined;
    return known.expiresAt > 0 && known.expiresAt <= this.clock.now() ? undefined : known;
  }

  private renewCookies(
    request: HttpRequest,
    response: Response,
    { token }: PresentedToken,
    known: KnownToken,
  ): void {
    this.cookies.set(request, response, { token, userId: known.actor.userId });
  }
}

/** Whether a request with a cookie comes from our own page: other sites cannot send these headers. */
function isOwnPage(request: HttpRequest, known: KnownToken): boolean {
  if (SAFE_METHODS.includes(request.method)) return true;
  const csrf = request.headers['x-csrf-token'];
  if (typeof csrf === 'string' && known.csrfHash !== '' && tokenHash(csrf) === known.csrfHash) return true;
  return request.headers['x-requested-with'] === 'XMLHttpRequest';
}
