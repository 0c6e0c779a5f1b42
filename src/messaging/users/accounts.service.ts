import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { type AppError } from '../../platform/common/errors/app-error.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Actor, splitRoles } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { isAdministrator, isSelf, requireLocalUser, UserPermission, UsersPolicy } from './users.policy.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { RolesService } from '../permissions/roles.service.js';
import type { PatchUserDto, UpdateUserDto } from './dto/user.dto.js';
import { UserActivationChanged, UserPasswordChanged, UserRolesUpdated, UserUpdated } from './users.events.js';
import { AttemptThrottle } from './passwords/attempt-throttle.js';
import { CredentialsService } from './passwords/credentials.service.js';
import { PasswordHasher, requireAcceptedHash } from './passwords/password-hasher.js';
import {
  isRoleList,
  type Profile,
  profileChange,
  requirePasswordPolicy,
  requireRolesFit,
  requireValidProfile,
} from './user-rules.js';
import type { EmailSource, User } from './user.entity.js';
import { deactivatedThereAt } from './remote-users.service.js';
import * as errors from './users.errors.js';
import { UsersRepository } from './users.repository.js';

const GUESTS_AT_ONCE = 100;

/** A password change; the current password may be empty for another user's account. */
export interface NewPassword {
  readonly current: string;
  readonly next: string;
  /** Whether `next` is the hash of the new password. */
  readonly isHashed: boolean;
}

/** Changes accounts: profile, password, roles, activation. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly policy: UsersPolicy,
    private readonly permissions: PermissionsService,
    private readonly roles: RolesService,
    private readonly credentials: CredentialsService,
    private readonly throttle: AttemptThrottle,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** `PUT`: the body repeats the account id. `address` is the caller's client block. */
  async update(actor: Actor, id: string, body: UpdateUserDto, address: string): Promise<User> {
    if (body.id !== id) throw new InvalidBodyParam('user_id', 'the id of the body is not the id of the path');
    return this.changeProfile(actor, id, { body, address }, errors.userNotFound());
  }

  async patch(actor: Actor, id: string, body: PatchUserDto, address: string): Promise<User> {
    const missing = new InvalidBodyParam('user_id', 'the account does not exist');
    return this.changeProfile(actor, id, { body, address }, missing);
  }

  /** Marks the address as verified: an administrator vouches for it. Throws `permissionDenied` or `userNotFound`. */
  async verifyEmail(actor: Actor, id: string): Promise<User> {
    await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
    return this.unitOfWork.run(async () => {
      const user = await this.repository.findForUpdate(id);
      if (!user) throw errors.userNotFound();
      requireLocalUser(user);
      if (user.emailVerified) return user;
      const change = { emailVerified: true, emailSource: '', updateAt: this.clock.now() } as const;
      await this.repository.update(id, change);
      await this.events.publish(new UserUpdated(id));
      return { ...user, ...change };
    });
  }

  /** Ends all other sessions of the account. `address` is the caller's client block. */
  async changePassword(actor: Actor, id: string, password: NewPassword, address: string): Promise<void> {
    const { next, isHashed } = password;
    if (!isSelf(actor, id)) await this.requirePasswordOf(actor, id);
    else if (isHashed) await this.requireWrite(actor, errors.hashedPasswordRefused);
    else await this.requireCurrent(id, password.current, address);
    if (isHashed) requireAcceptedHash('new_password', next);
    else requirePasswordPolicy(next);
    const passwordHash = isHashed
      ? next
      : await this.hasher.hash(next, actor.kind === 'local' ? 'local' : 'known');
    await this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const change = { passwordHash, lastPasswordUpdate: now, failedAttempts: 0, lastFailedAt: 0 };
      await this.repository.update(id, { ...change, updateAt: now });
      const keptSessionId = isSelf(actor, id) ? actor.sessionId : '';
      await this.events.publish(new UserPasswordChanged(id, keptSessionId));
      await this.events.publish(new UserUpdated(id));
    });
  }

  /** Replaces the system roles; also takes effect in open sessions. */
  async setRoles(actor: Actor, id: string, roles: string): Promise<void> {
    if (!isRoleList(roles))
      throw new InvalidBodyParam('roles', 'it must be role names, and system_admin never alone');
    await this.permissions.require(actor, CommonPermission.ManageRoles, 'system');
    const names = [...new Set(splitRoles(roles))];
    const text = names.join(' ');
    requireRolesFit(text);
    await this.unitOfWork.run(async () => {
      await this.roles.lockAdministration();
      const user = await this.repository.findFresh(id);
      if (!user) throw errors.unknownUser();
      requireLocalUser(user);
      await this.roles.requireAll(names);
      if (!names.includes('system_admin')) await this.requireAnotherAdministrator(user);
      await this.repository.update(id, { roles: text, updateAt: this.clock.now() });
      this.permissions.forgetSystemRoles(id);
      await this.events.publish(new UserRolesUpdated(id, text));
    });
  }

  /** Deactivates guests of an earlier version and makes them users. Returns the usernames of the active ones. */
  async retireGuests(): Promise<string[]> {
    const retired: User[] = [];
    let some: readonly User[];
    do {
      some = await this.unitOfWork.run(() => this.retireSomeGuests());
      retired.push(...some);
    } while (some.length === GUESTS_AT_ONCE);
    return retired.filter(({ deleteAt }) => deleteAt === 0).map(({ username }) => username);
  }

  async setActive(actor: Actor, id: string, isActive: boolean | undefined): Promise<void> {
    if (isActive === undefined) throw new InvalidBodyParam('active');
    if (!isActive && isSelf(actor, id)) throw errors.selfDeactivationDisabled();
    await this.requireWrite(actor, errors.activationRefused);
    await this.applyActivation(actor, id, isActive);
  }

  /** `DELETE`: only deactivates the account. */
  async deactivate(actor: Actor, id: string, isPermanent: boolean): Promise<void> {
    await this.policy.requireManage(actor, id);
    const isAdmin = await this.policy.isSystemManager(actor);
    if (isSelf(actor, id) && !isAdmin) throw errors.selfDeactivationDisabled();
    if (isPermanent) throw errors.permanentDeletionDisabled(isAdmin);
    await this.applyActivation(actor, id, false);
  }

  /** Throws `permissionDenied` if the account has more power than the actor. Callers check the rest. */
  async applyActivation(actor: Actor, id: string, isActive: boolean): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.roles.lockAdministration();
      const user = await this.repository.findForUpdate(id);
      if (!user) throw errors.userNotFound();
      await this.policy.requirePowerOver(actor, id);
      const isRemote = user.remoteId !== '';
      if ((isRemote ? !user.isDeactivatedHere : user.deleteAt === 0) === isActive) return;
      if (!isActive) await this.requireAnotherAdministrator(user);
      const now = this.clock.now();
      await this.storeActivation(id, isActive, {
        deleteAt: isActive ? deactivatedThereAt(user) : now,
        updateAt: now,
        isDeactivatedHere: isRemote && !isActive,
      });
    });
  }

  /** Disables an active bot with its owner, inside the open unit of work. */
  async deactivateBot({ id }: Pick<User, 'id'>): Promise<void> {
    const now = this.clock.now();
    await this.storeActivation(id, false, { deleteAt: now, updateAt: now });
  }

  async requireAnotherAdministrator(user: User): Promise<void> {
    if (user.deleteAt > 0 || user.isBot || !isAdministrator(user)) return;
    if (!(await this.repository.hasOtherActiveAdministrator(user.id))) throw errors.lastAdministrator();
  }

  /** Another process may be doing the same; the lock lets only one of them find each account. */
  private async retireSomeGuests(): Promise<User[]> {
    await this.roles.lockAdministration();
    const guests = await this.repository.listGuests(GUESTS_AT_ONCE);
    const now = this.clock.now();
    const roles = 'system_user';
    for (const { id, deleteAt } of guests) {
      await this.storeActivation(id, false, { roles, deleteAt: deleteAt || now, updateAt: now });
      this.permissions.forgetSystemRoles(id);
      await this.events.publish(new UserRolesUpdated(id, roles));
    }
    return guests;
  }

  private async storeActivation(id: string, isActive: boolean, change: Partial<User>): Promise<void> {
    await this.repository.update(id, change);
    await this.events.publish(new UserActivationChanged(id, isActive));
    await this.events.publish(new UserUpdated(id));
  }

  private async changeProfile(
    actor: Actor,
    id: string,
    { body, address }: { readonly body: PatchUserDto; readonly address: string },
    missing: AppError,
  ): Promise<User> {
    await this.policy.requireManage(actor, id);
    const user = await this.repository.find(id);
    if (!user) throw missing;
    requireLocalUser(user);
    const change = profileChange(body);
    if (isSelf(actor, id) && change.email !== undefined && change.email !== user.email) {
      const isRight = body.password !== '' && (await this.credentials.isOwn(id, body.password, address));
      if (!isRight) throw errors.passwordRequired();
    }
    const isManager = await this.policy.isSystemManager(actor);
    const store = (): Promise<User> => this.storeUnique(id, change, isManager ? '' : 'self');
    const { username = user.username, email = user.email } = change;
    const isSame = username === user.username && email === user.email;
    return isSame || isManager ? store() : this.throttle.rename(actor.userId, store);
  }

  private async storeUnique(id: string, change: Partial<Profile>, emailSource: EmailSource): Promise<User> {
    try {
      return await this.unitOfWork.run(() => this.storeProfile(id, change, emailSource));
    } catch (error) {
      if (isDuplicateKey(error)) throw await this.conflict(id, change);
      throw error;
    }
  }

  private async storeProfile(id: string, change: Partial<Profile>, emailSource: EmailSource): Promise<User> {
    const user = await this.repository.findFresh(id);
    if (!user) throw errors.userNotFound();
    const isNewEmail = change.email !== undefined && change.email !== user.email;
    const aboutEmail = isNewEmail ? { emailVerified: false, emailSource } : {};
    const stored = { ...change, updateAt: this.clock.now(), ...aboutEmail };
    const updated: User = { ...user, ...stored };
    requireValidProfile(updated, user);
    await this.repository.update(id, stored);
    await this.events.publish(new UserUpdated(id));
    return updated;
  }

  /** Which of the new name and address another account has. */
  async conflict(id: string, change: Partial<Profile>): Promise<AppError> {
    const holder = change.email === undefined ? null : await this.repository.findByEmail(change.email);
    return holder && holder.id !== id ? new errors.EmailExists() : new errors.UsernameExists();
  }

  private async requireCurrent(id: string, current: string, address: string): Promise<void> {
    if (current === '') throw new InvalidBodyParam('current_password');
    if (!(await this.credentials.isOwn(id, current, address))) throw errors.wrongCurrentPassword();
  }

  private async requireWrite(actor: Actor, refusal: () => AppError): Promise<void> {
    if (!(await this.permissions.has(actor, UserPermission.SysconsoleWriteUsers, 'system'))) throw refusal();
  }

  private async requirePasswordOf(actor: Actor, id: string): Promise<void> {
    await this.requireWrite(actor, errors.passwordChangeRefused);
    const user = await this.repository.find(id);
    if (!user) throw errors.userNotFound();
    if (!(await this.policy.hasPowerOver(actor, id))) throw errors.passwordChangeRefused();
    requireLocalUser(user);
    if (user.isBot) throw errors.botHasNoPassword();
  }
}
