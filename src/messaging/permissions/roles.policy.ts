import { Injectable } from '@nestjs/common';
import { isBuiltIn } from '../../platform/access/built-in-roles.js';
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
    if (role.name === 'system_admin')
      await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
    if (!isBuiltIn(role.name)) {
      await this.permissions.require(actor, CommonPermission.SysconsoleWriteSystemRoles, 'system');
    }
  }
}
