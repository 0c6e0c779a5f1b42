import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { type AppError } from '../../platform/common/errors/app-error.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type Actor, isGuestRole, splitRoles } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { isAdministrator, isSelf, requireLocalUser, UserPermission, UsersPolicy } from './users.policy.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { RolesService } from '../permissions/roles.service.js';
import type { PatchUserDto, UpdateUserDto } from './dto/user.dto.js';
import { UserActivationChanged, UserRolesUpdated, UserUpdated } from './users.events.js';
import { AttemptThrottle } from './passwords/attempt-throttle.js';
import { CredentialsService } from './passwords/credentials.service.js';
import {
  isRoleList,
  type Profile,
  profileChange,
  requireNoMixedGuest,
  requireRolesFit,
  requireValidProfile,
} from './user-rules.js';
import { UserCache } from './user-cache.js';
import type { EmailSource, User } from './user.entity.js';
import { deactivatedThereAt } from './remote-users.service.js';
import {
  activationRefused,
  EmailExists,
  lastAdministrator,
  permanentDeletionDisabled,
  selfDeactivationDisabled,
  unknownUser,
  UsernameExists,
  userNotFound,
} from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** Changes accounts: profile, roles, activation. */
@Injectable()
export class UsersService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly cache: UserCache,
    private readonly policy: UsersPolicy,
    private readonly permissions: PermissionsService,
    private readonly roles: RolesService,
    private readonly credentials: CredentialsService,
    private readonly throttle: AttemptThrottle,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
  ) {}

  /** `PUT`: the body repeats the account id. `address` is the caller's client block. */
  async update(actor: Actor, id: string, body: UpdateUserDto, address: string): Promise<User> {
    if (body.id !== id) throw new InvalidBodyParam('user_id', 'the id of the body is not the id of the path');
    return this.changeProfile(actor, id, { body, address }, userNotFound());
  }

  async patch(actor: Actor, id: string, body: PatchUserDto, address: string): Promise<User> {
    const missing = new InvalidBodyParam('user_id', 'there is no such account');
    return this.changeProfile(actor, id, { body, address }, missing);
  }

  /** Marks the address as verified: an administrator vouches for it. Throws `permissionDenied` or `userNotFound`. */
  async verifyEmail(actor: Actor, id: string): Promise<User> {
    await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
    return this.unitOfWork.run(async () => {
      const user = await this.repository.findByIdForUpdate(id);
      if (!user) throw userNotFound();
      requireLocalUser(user);
      if (user.emailVerified) return user;
      const change = { emailVerified: true, emailSource: '', updateAt: this.clock.now() } as const;
      await this.repository.update(id, change);
      this.cache.forget(id);
      await this.events.publish(new UserUpdated(id));
      return { ...user, ...change };
    });
  }

  /** Replaces the system roles; also takes effect in open sessions. */
  async setRoles(actor: Actor, id: string, roles: string): Promise<void> {
    if (!isRoleList(roles))
      throw new InvalidBodyParam('roles', 'it must be role names, and system_admin never alone');
    await this.permissions.require(actor, CommonPermission.ManageRoles, 'system');
    const names = [...new Set(splitRoles(roles))];
    requireNoMixedGuest(names);
    const text = names.join(' ');
    requireRolesFit(text);
    await this.unitOfWork.run(async () => {
      await this.roles.lockAdministration();
      const user = await this.repository.findById(id);
      if (!user) throw unknownUser();
      requireLocalUser(user);
      await this.roles.requireAll(names);
      if (!names.includes('system_admin')) await this.requireAnotherAdministrator(user);
      const isChange = isGuestRole(names) !== isGuestRole(splitRoles(user.roles));
      await this.repository.update(id, { roles: text, updateAt: this.clock.now() });
      this.cache.forget(id);
      this.permissions.forgetSystemRoles(id);
      await this.events.publish(new UserRolesUpdated(id, text));
      if (isChange) await this.events.publish(new UserUpdated(id));
    });
  }

  async setActive(actor: Actor, id: string, isActive: boolean | undefined): Promise<void> {
    if (isActive === undefined) throw new InvalidBodyParam('active');
    if (!isActive && isSelf(actor, id)) throw selfDeactivationDisabled();
    if (!(await this.permissions.has(actor, UserPermission.SysconsoleWriteUsers, 'system')))
      throw activationRefused();
    await this.applyActivation(actor, id, isActive);
  }

  /** `DELETE`: only deactivates the account. */
  async deactivate(actor: Actor, id: string, isPermanent: boolean): Promise<void> {
    await this.policy.requireManage(actor, id);
    const isAdmin = await this.policy.isSystemManager(actor);
    if (isSelf(actor, id) && !isAdmin) throw selfDeactivationDisabled();
    if (isPermanent) throw permanentDeletionDisabled(isAdmin);
    await this.applyActivation(actor, id, false);
  }

  /** Throws `permissionDenied` if the account has more power than the actor. Callers check the rest. */
  async applyActivation(actor: Actor, id: string, isActive: boolean): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.roles.lockAdministration();
      const user = await this.repository.findByIdForUpdate(id);
      if (!user) throw userNotFound();
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

  /** Throws `lastAdministrator`. */
  async requireAnotherAdministrator(user: User): Promise<void> {
    if (user.deleteAt > 0 || user.isBot || !isAdministrator(user)) return;
    if (!(await this.repository.hasOtherActiveAdministrator(user.id))) throw lastAdministrator();
  }

  private async storeActivation(id: string, isActive: boolean, change: Partial<User>): Promise<void> {
    await this.repository.update(id, change);
    this.cache.forget(id);
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
    const user = await this.cache.find(id);
    if (!user) throw missing;
    requireLocalUser(user);
    const change = profileChange(body);
    if (isSelf(actor, id) && change.email !== undefined && change.email !== user.email) {
      await this.requirePassword(id, body.password, address);
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
    const user = await this.repository.findById(id);
    if (!user) throw userNotFound();
    const isNewEmail = change.email !== undefined && change.email !== user.email;
    const aboutEmail = isNewEmail ? { emailVerified: false, emailSource } : {};
    const stored = { ...change, updateAt: this.clock.now(), ...aboutEmail };
    const updated: User = { ...user, ...stored };
    requireValidProfile(updated, user);
    await this.repository.update(id, stored);
    this.cache.forget(id, user.username, updated.username);
    await this.events.publish(new UserUpdated(id));
    return updated;
  }

  private async conflict(id: string, change: Partial<Profile>): Promise<AppError> {
    const holder = change.email === undefined ? null : await this.repository.findByEmail(change.email);
    return holder && holder.id !== id ? new EmailExists() : new UsernameExists();
  }

  private async requirePassword(id: string, password: string, address: string): Promise<void> {
    const isRight = password !== '' && (await this.credentials.isOwn(id, password, address));
    if (!isRight)
      throw new InvalidBodyParam(
        'password',
        'changing your own e-mail address requires your current password',
      );
  }
}
