import { Injectable } from '@nestjs/common';
import { definePermissions } from '../../platform/access/access.js';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import { type Actor, splitRoles } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import { UserDto, type UserView } from './dto/user.dto.js';
import type { User } from './user.entity.js';
import { remoteUserRefused } from './users.errors.js';

export const UserPermission = definePermissions({
  EditOtherUsers: ['edit_other_users'],
  SysconsoleReadUsers: ['sysconsole_read_user_management_users'],
  SysconsoleWriteUsers: ['sysconsole_write_user_management_users'],
  ViewMembers: ['view_members', 'system_user'],
});

/** Who may act for a user, for the API description. */
export const WHO_ACTS_FOR_USER =
  'the user; others with `edit_other_users`, unless the target has more permissions';

export function isAdministrator(user: Pick<User, 'roles'>): boolean {
  return splitRoles(user.roles).includes('system_admin');
}

/** Throws `remoteUserRefused` for a remote account, which only identifies an author here. */
export function requireLocalUser(user: Pick<User, 'remoteId'>, field?: string): void {
  if (user.remoteId !== '') throw remoteUserRefused(field);
}

/** Who may see and change accounts (docs/contract/messaging.md#user-views). */
@Injectable()
export class UsersPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  isSystemManager(actor: Actor): Promise<boolean> {
    return this.permissions.has(actor, CommonPermission.ManageSystem, 'system');
  }

  /** Allows users their own account, and holders of `edit_other_users` accounts without more power. */
  async requireManage(actor: Actor, userId: string): Promise<void> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
  }

  /** Refuses accounts with more power than the caller: only administrators may manage administrators. */
  async requirePowerOver(actor: Actor, userId: string): Promise<void> {
    if (!(await this.hasPowerOver(actor, userId))) throw permissionDenied(CommonPermission.ManageSystem);
  }

  async hasPowerOver(actor: Actor, userId: string): Promise<boolean> {
    return isSelf(actor, userId) || !(await this.permissions.isLessThan(actor, userId));
  }

  /** An account as the caller may see it: complete, or without private fields. */
  async shown(actor: Actor, user: User): Promise<UserDto> {
    return UserDto.from(user, (await this.viewOf(actor))(user));
  }

  async shownAll(actor: Actor, users: readonly User[]): Promise<UserDto[]> {
    const viewOf = await this.viewOf(actor);
    return users.map((user) => UserDto.from(user, viewOf(user)));
  }

  private async viewOf(actor: Actor): Promise<(user: User) => UserView> {
    if (await this.isSystemManager(actor)) return () => 'admin';
    return (user) => (isSelf(actor, user.id) ? 'self' : 'other');
  }
}

export function isSelf(actor: Actor, userId: string): boolean {
  return actor.kind === 'user' && actor.userId === userId;
}
