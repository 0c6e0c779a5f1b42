import { Injectable } from '@nestjs/common';
import { isBuiltIn, type Permission } from '../../platform/access/access.js';
import type { Actor } from './actor.js';
import { CommonPermission } from './common.permissions.js';
import { PermissionsService } from './permissions.service.js';
import type { Role } from './role.entity.js';

/** Who may change a role (docs/contract/messaging.md#roles). */
@Injectable()
export class RolesPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  async requirePatch(actor: Actor, role: Role): Promise<void> {
    await this.permissions.require(actor, CommonPermission.SysconsoleWritePermissions, 'system');
    if (!isBuiltIn(role.name))
      await this.permissions.require(actor, CommonPermission.SysconsoleWriteSystemRoles, 'system');
    if (role.name === 'system_admin' || actor.roles.some((name) => name === role.name))
      await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
  }

  /** Only system administrators can grant or revoke a permission that they do not hold on the system. */
  async requireChange(actor: Actor, changed: readonly Permission[]): Promise<void> {
    if (await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem)) return;
    for (const permission of changed) await this.permissions.require(actor, permission, 'system');
  }
}
