import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { StringListBody } from '../../platform/common/dto/body.pipe.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, TextParam } from '../../platform/common/dto/params.js';
import {
  CheckedByPolicy,
  type Permission,
  RequirePermission,
  SignedIn,
} from '../../platform/access/access.js';
import { type Actor, CurrentActor } from './actor.js';
import { PatchRoleDto, RoleDto } from './role.dto.js';
import { CommonPermission } from './common.permissions.js';
import { RolesPolicy } from './roles.policy.js';
import { RolesService } from './roles.service.js';

@ApiTags('roles')
@Controller('roles')
export class RolesController {
  constructor(
    private readonly roles: RolesService,
    private readonly policy: RolesPolicy,
  ) {}

  @Get()
  @RequirePermission(CommonPermission.ManageSystem)
  @Operation({ summary: 'List all roles', ok: [RoleDto] })
  async getAllRoles(): Promise<RoleDto[]> {
    return (await this.roles.list()).map((role) => RoleDto.from(role));
  }

  @Get('name/:role_name')
  @SignedIn()
  @Operation({ summary: 'Get a role by its name', ok: RoleDto, errors: [404] })
  async getRoleByName(@TextParam('role_name', 'The name of the role.') name: string): Promise<RoleDto> {
    return RoleDto.from(await this.roles.getByName(name));
  }

  @Post('names')
  @SignedIn()
  @Operation({
    summary: 'Get several roles by name',
    description: 'Unknown names are skipped.',
    ok: [RoleDto],
  })
  async getRolesByNames(
    @StringListBody('rolenames', 1000, 'system_user', 'team_admin') names: string[],
  ): Promise<RoleDto[]> {
    return (await this.roles.listByNames(names)).map((role) => RoleDto.from(role));
  }

  @Get(':role_id')
  @SignedIn()
  @Operation({ summary: 'Get a role', ok: RoleDto, errors: [404] })
  async getRole(@IdParam('role_id', 'The role.') id: string): Promise<RoleDto> {
    return RoleDto.from(await this.roles.get(id));
  }

  @Put(':role_id/patch')
  @CheckedByPolicy(
    CommonPermission.SysconsoleWritePermissions,
    '`sysconsole_write_user_management_permissions`; for `system_admin`, a role of the caller, and permissions that the caller does not hold on the system, also `manage_system`',
  )
  @Audited('patch_role', 'role_id')
  @Operation({ summary: 'Change the permissions of a role', ok: RoleDto, errors: [404, 501] })
  async patchRole(
    @CurrentActor() actor: Actor,
    @IdParam('role_id', 'The role.') id: string,
    @Body() patch: PatchRoleDto,
  ): Promise<RoleDto> {
    await this.policy.requirePatch(actor, await this.roles.get(id));
    const requireAllowed = (changed: readonly Permission[]): Promise<void> =>
      this.policy.requireChange(actor, changed);
    return RoleDto.from(await this.roles.replacePermissions(id, patch.permissions, requireAllowed));
  }
}
