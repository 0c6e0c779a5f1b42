import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock.js';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { Actor } from '../../permissions/actor.js';
import { isSelf, requireLocalUser, UserPermission, UsersPolicy } from '../users.policy.js';
import { PermissionsService } from '../../permissions/permissions.service.js';
import { botHasNoPassword } from '../bots/bots.errors.js';
import { UserPasswordChanged, UserUpdated } from '../users.events.js';
import { UserCache } from '../user-cache.js';
import { requirePasswordPolicy } from '../user-rules.js';
import {
  hashedPasswordRefused,
  passwordChangeRefused,
  userNotFound,
  wrongCurrentPassword,
} from '../users.errors.js';
import { UsersRepository } from '../users.repository.js';
import { CredentialsService } from './credentials.service.js';
import { PasswordHasher, requireAcceptedHash } from './password-hasher.js';

/** A password change; the current password may be empty for another user's account. */
export interface NewPassword {
  readonly current: string;
  readonly next: string;
  /** Whether `next` is the hash of the new password. */
  readonly isHashed: boolean;
}

/** Changes passwords: users need their current password; administrators can set other users' passwords. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly cache: UserCache,
    private readonly policy: UsersPolicy,
    private readonly permissions: PermissionsService,
    private readonly credentials: CredentialsService,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** Ends all other sessions of the account. `address` is the caller's client block. */
  async change(actor: Actor, id: string, password: NewPassword, address: string): Promise<void> {
    const { next, isHashed } = password;
    if (!isSelf(actor, id)) await this.requireOver(actor, id);
    else if (isHashed) await this.requireMayHash(actor);
    else await this.requireCurrent(id, password.current, address);
    if (isHashed) requireAcceptedHash('new_password', next);
    else requirePasswordPolicy(next);
    const passwordHash = isHashed
      ? next
      : await this.hasher.hash(next, actor.kind === 'local' ? 'local' : 'known');
    await this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const change = {
        passwordHash,
        lastPasswordUpdate: now,
        updateAt: now,
        failedAttempts: 0,
        lastFailedAt: 0,
      };
      await this.repository.update(id, change);
      this.cache.forget(id);
      const keptSessionId = isSelf(actor, id) ? actor.sessionId : '';
      await this.events.publish(new UserPasswordChanged(id, keptSessionId));
      await this.events.publish(new UserUpdated(id));
    });
  }

  private async requireCurrent(id: string, current: string, address: string): Promise<void> {
    if (current === '') throw new InvalidBodyParam('current_password');
    if (!(await this.credentials.isOwn(id, current, address))) throw wrongCurrentPassword();
  }

  private async requireMayHash(actor: Actor): Promise<void> {
    if (!(await this.permissions.has(actor, UserPermission.SysconsoleWriteUsers, 'system')))
      throw hashedPasswordRefused();
  }

  private async requireOver(actor: Actor, id: string): Promise<void> {
    if (!(await this.permissions.has(actor, UserPermission.SysconsoleWriteUsers, 'system')))
      throw passwordChangeRefused();
    const user = await this.cache.find(id);
    if (!user) throw userNotFound();
    if (!(await this.policy.hasPowerOver(actor, id))) throw passwordChangeRefused();
    requireLocalUser(user);
    if (user.isBot) throw botHasNoPassword();
  }
}
