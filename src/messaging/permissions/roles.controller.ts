import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, RequirePermission, SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from './actor.js';
import { PatchRoleDto, RoleDto } from './dto/role.dto.js';
import { Permission } from './permission.js';
import { RolesPolicy } from './roles.policy.js';
import { RolesService } from './roles.service.js';

@ApiTags('roles')
@ApiBearerAuth()
@Controller('roles')
export class RolesController {
  constructor(
    private readonly roles: RolesService,
    private readonly policy: RolesPolicy,
  ) {}

  @Get()
  @RequirePermission(Permission.ManageSystem)
  @Operation({ summary: 'List all roles', permission: '`manage_system`', errors: [401, 403] })
  @ApiOkResponse({ type: [RoleDto] })
  async getAllRoles(): Promise<RoleDto[]> {
    return (await this.roles.list()).map((role) => RoleDto.from(role));
  }

  @Get('name/:role_name')
  @SignedIn()
  @Operation({ summary: 'Get a role by its name', permission: 'any signed-in user', errors: [401, 404] })
  @ApiOkResponse({ type: RoleDto })
  async getRoleByName(@Param('role_name') name: string): Promise<RoleDto> {
    return RoleDto.from(await this.roles.getByName(name));
  }

  @Post('names')
  @HttpCode(200)
  @SignedIn()
  @Operation({
    summary: 'Get several roles by name',
    description: 'Unknown names are skipped.',
    permission: 'any signed-in user',
    errors: [400, 401],
  })
  @ApiBody({ schema: { type: 'array', items: { type: 'string' }, example: ['system_user', 'team_admin'] } })
  @ApiOkResponse({ type: [RoleDto] })
  async getRolesByNames(@Body(new StringListBody('rolenames', 1000)) names: string[]): Promise<RoleDto[]> {
    return (await this.roles.listByNames(names)).map((role) => RoleDto.from(role));
  }

  @Get(':role_id')
  @SignedIn()
  @Operation({ summary: 'Get a role', permission: 'any signed-in user', errors: [400, 401, 404] })
  @ApiOkResponse({ type: RoleDto })
  async getRole(@IdParam('role_id', 'The role.') id: string): Promise<RoleDto> {
    return RoleDto.from(await this.roles.get(id));
  }

  @Put(':role_id/patch')
  @CheckedByPolicy(Permission.SysconsoleWritePermissions)
  @Audited('patch_role', 'role_id')
  @Operation({
    summary: 'Change what a role grants',
    permission: '`sysconsole_write_user_management_permissions`; for `system_admin` also `manage_system`',
    errors: [400, 401, 403, 404, 501],
  })
  @ApiOkResponse({ type: RoleDto })
  async patchRole(
    @CurrentActor() actor: Actor,
    @IdParam('role_id', 'The role.') id: string,
    @Body() patch: PatchRoleDto,
  ): Promise<RoleDto> {
    await this.policy.requirePatch(actor, await this.roles.get(id));
    return RoleDto.from(await this.roles.replacePermissions(id, patch.permissions));
  }
}
