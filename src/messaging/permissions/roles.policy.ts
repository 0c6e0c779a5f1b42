import { Injectable } from '@nestjs/common';
import { isBuiltIn } from '../../platform/access/built-in-roles.js';
import type { Actor } from './actor.js';
import { CommonPermission } from './common.permissions.js';
import type { Permission } from '../../platform/access/permission.js';
import { PermissionsService } from './permissions.service.js';
import type { Role } from './role.entity.js';

/** Who may change a role (docs/contract/messaging.md#roles). */
@Injectable()
export class RolesPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  async requirePatch(actor: Actor, role: Role): Promise<void> {
    await this.permissions.require(actor, CommonPermission.SysconsoleWritePermissions, 'system');
    if (role.name === 'system_admin')
      await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
    if (!isBuiltIn(role.name)) {
      await this.permissions.require(actor, CommonPermission.SysconsoleWriteSystemRoles, 'system');
    }
    if (actor.kind === 'user' && actor.roles.includes(role.name))
      await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
  }

  /** Nobody but administrators of the system gives or takes a permission that they do not hold there. */
  async requireChange(actor: Actor, changed: readonly Permission[]): Promise<void> {
    if (await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem)) return;
    for (const permission of changed) await this.permissions.require(actor, permission, 'system');
  }
}
