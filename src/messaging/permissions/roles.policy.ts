import { Injectable } from '@nestjs/common';
import type { Actor } from './actor.js';
import { DEFAULT_ROLES } from './default-roles.js';
import { Permission } from '../../platform/access/permission.js';
import { PermissionsService } from './permissions.service.js';
import type { Role } from './role.entity.js';

/** Who may change a role (docs/contract/messaging.md#roles). */
@Injectable()
export class RolesPolicy {
  constructor(private readonly permissions: PermissionsService) {}

  async requirePatch(actor: Actor, role: Role): Promise<void> {
    await this.permissions.require(actor, Permission.SysconsoleWritePermissions, 'system');
    if (role.name === 'system_admin')
      await this.permissions.require(actor, Permission.ManageSystem, 'system');
    if (!(role.name in DEFAULT_ROLES)) {
      await this.permissions.require(actor, Permission.SysconsoleWriteSystemRoles, 'system');
    }
  }
}
