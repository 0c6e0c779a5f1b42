import { Injectable } from '@nestjs/common';
import { type ExpiryRange, isExpiry } from '../../platform/common/expiry.js';
import { Clock } from '../../platform/common/clock.js';
import type { Page } from '../../platform/common/dto/params.js';
import { InvalidBodyParam, ValidationFailed } from '../../platform/common/errors/common-errors.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { isId, newId } from '../../platform/common/ids.js';
import { byteLength, runeLength } from '../../platform/common/utf8.js';
import { AuthSettings } from './auth.settings.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Actor } from '../permissions/actor.js';
import { definePermissions, type Permission } from '../../platform/access/access.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import type { User } from '../users/user.entity.js';
import { BotsPolicy } from '../users/bots/bots.policy.js';
import { requireLocalUser } from '../users/users.policy.js';
import { userNotFound } from '../users/users.errors.js';
import { UsersService } from '../users/users.service.js';
import { userAccessTokenNotFound, userAccessTokensDisabled } from './auth.errors.js';
import { SessionsRevoked } from './auth.events.js';
import { AuthenticationService } from './authentication.service.js';
import { tokenHash } from './presented-token.js';
import type { UserAccessToken } from './user-access-token.entity.js';
import { TokenSearchReadModel } from './token-search.read-model.js';
import { UserAccessTokensRepository } from './user-access-tokens.repository.js';

export const AuthPermission = definePermissions({
  CreateUserAccessToken: ['create_user_access_token', 'system_user_access_token'],
  ReadUserAccessToken: ['read_user_access_token', 'system_user_access_token'],
  RevokeUserAccessToken: ['revoke_user_access_token', 'system_user_access_token'],
});

const MAX_DESCRIPTION_BYTES = 255;
const MAX_TOKENS_PER_USER = 1000;
const MAX_FOUND = 100;
const MAX_TERM_LENGTH = 256;

/** Tokens that let programs act as a user (docs/contract/messaging.md#personal-access-tokens). */
@Injectable()
export class UserAccessTokensService {
  constructor(
    private readonly repository: UserAccessTokensRepository,
    private readonly tokenSearch: TokenSearchReadModel,
    private readonly tokens: AuthenticationService,
    private readonly users: UsersService,
    private readonly policy: BotsPolicy,
    private readonly permissions: PermissionsService,
    private readonly settings: AuthSettings,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** `value` is the token itself, which cannot be read again later. */
  async create(
    actor: Actor,
    userId: string,
    description: string,
    expiresAt: number,
  ): Promise<{ token: UserAccessToken; value: string }> {
    const user = await this.users.get(userId);
    if (description === '') throw new InvalidBodyParam('description');
    await this.requireOver(actor, user, AuthPermission.CreateUserAccessToken);
    requireLocalUser(user);
    if (!this.settings.enableUserAccessTokens) throw userAccessTokensDisabled();
    if (byteLength(description) > MAX_DESCRIPTION_BYTES) {
      const id = 'model.user_access_token.is_valid.description.app_error';
      throw new ValidationFailed(id, 'description', `it must have at most ${MAX_DESCRIPTION_BYTES} bytes`);
    }
    if (!isExpiry(expiresAt, this.clock.now())) {
      const id = 'model.user_access_token.is_valid.expires_at.app_error';
      throw new ValidationFailed(id, 'expires_at', 'it must be 0 or a time in the future');
    }
    const value = newId();
    const token = {
      id: newId(),
      tokenHash: tokenHash(value),
      userId,
      description,
      isActive: true,
      createAt: this.clock.now(),
      ...{ expiresAt, expiryReminders: 0, lastUsed: 0 },
    };
    await this.unitOfWork.run(async () => {
      await this.users.getForUpdate(userId); // concurrent calls must not exceed the limit together
      await this.repository.insert(token);
      if ((await this.repository.countByUser(userId)) <= MAX_TOKENS_PER_USER) return;
      throw new ValidationFailed(
        'app.user_access_token.limit.app_error',
        'user_id',
        `a user can have ${MAX_TOKENS_PER_USER} tokens`,
      );
    });
    return { token, value };
  }

  async get(actor: Actor, id: string): Promise<UserAccessToken> {
    await this.permissions.require(actor, AuthPermission.ReadUserAccessToken, 'system');
    return this.requireToken(actor, id, AuthPermission.ReadUserAccessToken);
  }

  async listByUser(actor: Actor, userId: string, page: Page): Promise<UserAccessToken[]> {
    await this.permissions.require(actor, AuthPermission.ReadUserAccessToken, 'system');
    const user = await this.users.find(userId);
    await this.policy.requireManageAccount(actor, user ?? { id: userId });
    if (!user) throw userNotFound();
    return this.repository.list(page.offset, page.perPage, userId);
  }

  listAll(page: Page): Promise<UserAccessToken[]> {
    return this.repository.list(page.offset, page.perPage);
  }

  search(term: string): Promise<UserAccessToken[]> {
    if (term.trim() === '') throw new InvalidBodyParam('term');
    if (runeLength(term) > MAX_TERM_LENGTH) {
      throw new InvalidBodyParam('term', `it must have at most ${MAX_TERM_LENGTH} characters`);
    }
    return this.tokenSearch.find(term.trim().toLowerCase(), MAX_FOUND);
  }

  /** Returns tokens that are about to expire, for reminders. */
  listExpiring(range: ExpiryRange, limit: number): Promise<UserAccessToken[]> {
    return this.repository.listExpiring(range, limit);
  }

  /** Returns false if the token was revoked. */
  noteReminders(id: string, _expiresAt: number, expiryReminders: number): Promise<boolean> {
    return this.repository.update(id, { expiryReminders });
  }

  /** Deletes a token, effective immediately. */
  revoke(actor: Actor, id: string): Promise<void> {
    return this.change(actor, id, AuthPermission.RevokeUserAccessToken, () => this.repository.delete(id));
  }

  /** Disables or enables a token, effective immediately. */
  setActive(actor: Actor, id: string, isActive: boolean): Promise<void> {
    const { CreateUserAccessToken, RevokeUserAccessToken } = AuthPermission;
    const permission = isActive ? CreateUserAccessToken : RevokeUserAccessToken;
    return this.change(actor, id, permission, async () => {
      await this.repository.update(id, { isActive });
    });
  }

  private async change(
    actor: Actor,
    id: string,
    permission: Permission,
    write: () => Promise<void>,
  ): Promise<void> {
    if (id === '') throw new InvalidBodyParam('token_id');
    await this.permissions.require(actor, permission, 'system');
    await this.unitOfWork.run(async () => {
      const { userId } = await this.requireToken(actor, id, permission);
      await write();
      this.tokens.forgetSessions([id]); // the id of a token is also its session id
      if (permission === AuthPermission.RevokeUserAccessToken)
        await this.events.publish(new SessionsRevoked(userId, [id]));
    });
  }

  private async requireToken(actor: Actor, id: string, permission: Permission): Promise<UserAccessToken> {
    const token = isId(id) ? await this.repository.find(id) : null;
    if (!token) throw userAccessTokenNotFound();
    await this.requireOver(actor, await this.users.get(token.userId), permission);
    return token;
  }

  private async requireOver(actor: Actor, user: User, permission: Permission): Promise<void> {
    await this.permissions.require(actor, permission, 'system');
    await this.policy.requireManageAccount(actor, user);
  }
}
