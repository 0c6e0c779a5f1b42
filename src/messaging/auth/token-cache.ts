import { DatabaseCache, shortKeys } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Injectable } from '@nestjs/common';
import { AuthSettings } from './auth.settings.js';
import { type Actor, splitRoles } from '../permissions/actor.js';
import type { User } from '../users/user.entity.js';
import { UserRecords } from '../users/user-records.js';
import { SessionsRepository } from './sessions.repository.js';
import { tokenHash } from './presented-token.js';
import { UserAccessTokensRepository } from './user-access-tokens.repository.js';

const MAX_BYTES = 16 * 1024 * 1024;
const HASH_LENGTH = 64;
const TOKEN = /^[a-z0-9]{26}$/;

/** A valid token and its user. */
export interface KnownToken {
  readonly actor: Extract<Actor, { kind: 'user' }>;
  readonly isPersonal: boolean;
  /** Empty for personal access tokens, which are not sent in cookies. */
  readonly csrfHash: string;
  /** 0 = never. */
  expiresAt: number;
  lastActivityAt: number;
}

/** Caches sessions and personal access tokens by token hash. Code that ends one must call `forget…`. */
@Injectable()
export class TokenCache {
  private readonly known: DatabaseCache<KnownToken | null>;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly personalTokens: UserAccessTokensRepository,
    private readonly users: UserRecords,
    private readonly settings: AuthSettings,
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

  /** Null if the token is unknown or disabled, or its user is deactivated. Does not check the expiry. */
  async find(token: string): Promise<KnownToken | null> {
    if (!TOKEN.test(token)) return null;
    const hash = tokenHash(token);
    const known = await this.known.get(hash, () => this.load(hash)); // unknown tokens are not cached
    return known?.isPersonal && !this.settings.enableUserAccessTokens ? null : known;
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

  private async load(hash: string): Promise<KnownToken | null> {
    const session = await this.sessions.findByTokenHash(hash);
    if (session) {
      const { id, csrfHash, expiresAt, lastActivityAt } = session;
      const actor = actorFor(await this.users.find(session.userId), id);
      return actor && { actor, isPersonal: false, csrfHash, expiresAt, lastActivityAt };
    }
    const personal = await this.personalTokens.findByTokenHash(hash);
    if (!personal?.isActive) return null;
    const actor = actorFor(await this.users.find(personal.userId), personal.id);
    return actor && { actor, isPersonal: true, csrfHash: '', expiresAt: 0, lastActivityAt: 0 };
  }
}

function actorFor(user: User | null, sessionId: string): KnownToken['actor'] | null {
  if (!user || user.deleteAt > 0) return null;
  return { kind: 'user', userId: user.id, roles: splitRoles(user.roles), sessionId };
}
