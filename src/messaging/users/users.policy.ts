import { Injectable } from '@nestjs/common';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import { splitRoles } from '../permissions/role-list.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission } from './users.permissions.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import type { UserView } from './dto/user.dto.js';
import type { User } from './user.entity.js';
import { remoteUserRefused } from './users.errors.js';

export function isAdministrator(user: Pick<User, 'roles'>): boolean {
  return splitRoles(user.roles).includes('system_admin');
}

/** Throws `remoteUserRefused` for an account of another server, which only identifies an author here. */
export function requireLocalUser(user: Pick<User, 'remoteId'>, field?: string): void {
  if (user.remoteId !== '') throw remoteUserRefused(field);
}

/** Who may see and change which account (docs/contract/messaging.md#user-views). */
@Injectable()
export class UsersPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  isSystemManager(actor: Actor): Promise<boolean> {
    return this.permissions.has(actor, CommonPermission.ManageSystem, 'system');
  }

  /** Allows users their own account, and holders of `edit_other_users` those that may do no more than they. */
  async requireManage(actor: Actor, userId: string): Promise<void> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
  }

  /** Nobody may manage an account that may do more: only administrators manage those of administrators. */
  async requirePowerOver(actor: Actor, userId: string): Promise<void> {
    if (!(await this.hasPowerOver(actor, userId))) throw permissionDenied(CommonPermission.ManageSystem);
  }

  async hasPowerOver(actor: Actor, userId: string): Promise<boolean> {
    return isSelf(actor, userId) || !(await this.permissions.isLessThan(actor, userId));
  }

  /** Which fields of accounts the caller may see. */
  async viewOf(actor: Actor): Promise<(user: Pick<User, 'id'>) => UserView> {
    if (await this.isSystemManager(actor)) return () => 'admin';
    return (user) => (isSelf(actor, user.id) ? 'self' : 'other');
  }
}

export function isSelf(actor: Actor, userId: string): boolean {
  return actor.kind === 'user' && actor.userId === userId;
}
