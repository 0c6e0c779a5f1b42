import { Injectable, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../platform/common/clock.js';
import { sessionExpired } from '../../platform/common/errors/common-errors.js';
import { stackOf } from '../../platform/common/errors/stack-of.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { CommitEngine } from '../../platform/database/commits/commit-engine.js';
import { DatabaseCache, shortKeys } from '../../platform/database/database-cache.js';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Actor, ANONYMOUS, splitRoles } from '../permissions/actor.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { tokenInQuery } from './auth.errors.js';
import { AuthSettings } from './auth.settings.js';
import { presentedToken, tokenHash } from './presented-token.js';
import { SessionCookies } from './session-cookies.js';
import { SESSION_LENGTH_MS } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';
import { UserAccessTokensRepository } from './user-access-tokens.repository.js';

const NO_CSRF = 'A cookie came without a CSRF token.';
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const MAX_BYTES = 16 * 1024 * 1024;
const HASH_LENGTH = 64;
const TOKEN = /^[a-z0-9]{26}$/;
const ACTIVITY_INTERVAL_MS = 5 * 60_000;
/** A session in use is extended after one percent of its length. */
const EXTENSION_AFTER_MS = SESSION_LENGTH_MS / 100;

export interface ValidToken {
  readonly actor: Extract<Actor, { kind: 'user' }>;
  readonly isPersonal: boolean;
  /** Empty for personal access tokens, which are not sent in cookies. */
  readonly csrfHash: string;
  /** 0 = never. */
  expiresAt: number;
  lastActivityAt: number;
}

/**
 * Identifies the caller of a request by its token (docs/contract/conventions.md#credentials), and records when they are
 * used. Sessions and personal access tokens are cached by token hash: code that ends one must call `forget…`.
 */
@Injectable()
export class AuthenticationService {
  private readonly logger = new Logger(AuthenticationService.name);
  private readonly known: DatabaseCache<ValidToken | null>;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly personalTokens: UserAccessTokensRepository,
    private readonly users: UsersService,
    private readonly cookies: SessionCookies,
    private readonly commits: CommitEngine,
    private readonly settings: AuthSettings,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
  ) {
    this.known = new DatabaseCache(unitOfWork, {
      name: 'tokens',
      maxBytes: MAX_BYTES,
      keys: shortKeys(HASH_LENGTH, null),
      groups: {
        session: (token, _hash, sessionId) => token?.actor.sessionId === sessionId,
        user: (token, _hash, userId) => token?.actor.userId === userId,
      },
    });
  }

  /** The caller; anonymous without a valid token. Throws `tokenInQuery`, and `sessionExpired` without a CSRF token. */
  async actorOf(request: HttpRequest, response: Response, requiresSession: boolean): Promise<Actor> {
    const presented = await this.present(request);
    if (!presented) {
      if (requiresSession) this.cookies.clear(response);
      return ANONYMOUS;
    }
    const { token, location, known, isForeign } = presented;
    if (isForeign) {
      if (requiresSession) throw sessionExpired(NO_CSRF);
      return ANONYMOUS; // another site must not act with the caller's permissions, not even on public routes
    }
    if (this.touch(known) && location === 'cookie')
      this.cookies.set(request, response, { token, userId: known.actor.userId });
    return known.actor;
  }

  /** The token to end; undefined if not valid. Refuses like `actorOf`: another site must not sign a user out. */
  async tokenToEnd(request: HttpRequest): Promise<string | undefined> {
    const presented = await this.present(request);
    if (presented?.isForeign) throw sessionExpired(NO_CSRF);
    return presented?.token;
  }

  forgetSessions(ids: readonly string[]): void {
    for (const id of ids) this.known.forgetGroup('session', id);
  }

  forgetUser(userId: string): void {
    this.known.forgetGroup('user', userId);
  }

  forgetAll(): void {
    this.known.clear();
  }

  /** Undefined if the token is unknown, disabled or expired, or its user is deactivated. Unknown tokens are not cached. */
  async find(token: string): Promise<ValidToken | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const hash = tokenHash(token);
    const known = await this.known.get(hash, () => this.load(hash));
    if (!known || (known.isPersonal && !this.settings.enableUserAccessTokens)) return undefined;
    return known.expiresAt > 0 && known.expiresAt <= this.clock.now() ? undefined : known;
  }

  /** The valid token of a request, and whether another site may have sent its cookie. */
  private async present(request: HttpRequest) {
    const presented = presentedToken(request.headers, request.url);
    const known = presented && (await this.find(presented.token));
    if (!known) return undefined;
    if (presented.location === 'query') throw tokenInQuery();
    return { ...presented, known, isForeign: presented.location === 'cookie' && !isOwnPage(request, known) };
  }

  private async load(hash: string): Promise<ValidToken | null> {
    const session = await this.sessions.findByTokenHash(hash);
    if (session) {
      const { id, csrfHash, expiresAt, lastActivityAt } = session;
      const actor = actorFor(await this.users.find(session.userId), id);
      return actor && { actor, isPersonal: false, csrfHash, expiresAt, lastActivityAt };
    }
    const personal = await this.personalTokens.findByTokenHash(hash);
    if (!personal?.isActive) return null;
    const actor = actorFor(await this.users.find(personal.userId), personal.id);
    return (
      actor && {
        actor,
        isPersonal: true,
        csrfHash: '',
        expiresAt: personal.expiresAt,
        lastActivityAt: personal.lastUsed,
      }
    );
  }

  /** Records that a token is used, and extends a session if due, without waiting. Returns whether it was extended. */
  private touch(token: ValidToken): boolean {
    const now = this.clock.now();
    if (now - token.lastActivityAt < ACTIVITY_INTERVAL_MS) return false;
    const isExtended =
      !token.isPersonal &&
      token.expiresAt > 0 &&
      now + SESSION_LENGTH_MS - token.expiresAt >= EXTENSION_AFTER_MS;
    token.lastActivityAt = now;
    if (isExtended) token.expiresAt = now + SESSION_LENGTH_MS;
    void this.store(token);
    return isExtended;
  }

  /** Never throws; after a failure, it is retried when the session is used again a few minutes later. */
  private async store({ actor, isPersonal, lastActivityAt, expiresAt }: ValidToken): Promise<void> {
    try {
      const { sessionId } = actor;
      await this.commits.run(
        isPersonal
          ? this.personalTokens.recordUse(sessionId, lastActivityAt)
          : this.sessions.recordActivity(sessionId, lastActivityAt, expiresAt),
      );
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        this.logger.error('The activity of a session was not stored.', stackOf(error));
    }
  }
}

/** Whether a request with a cookie comes from our own page: other sites cannot send these headers. */
function isOwnPage(request: HttpRequest, known: ValidToken): boolean {
  if (SAFE_METHODS.includes(request.method)) return true;
  const csrf = request.headers['x-csrf-token'];
  if (typeof csrf === 'string' && known.csrfHash !== '' && tokenHash(csrf) === known.csrfHash) return true;
  return request.headers['x-requested-with'] === 'XMLHttpRequest';
}

function actorFor(user: User | null, sessionId: string): ValidToken['actor'] | null {
  if (!user || user.deleteAt > 0) return null;
  return { kind: 'user', userId: user.id, roles: splitRoles(user.roles), sessionId };
}
