import { Body, Controller, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { ClientAddress } from '../../platform/common/http/client-address.js';
import { UserPermission } from './users.permissions.js';
import { UpdateActiveDto, UpdatePasswordDto, UpdateRolesDto } from './dto/write-user.dto.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { UserIdParam } from './user-id-param.js';
import { UsersService } from './users.service.js';
import { DOCS, WHO } from './users.docs.js';

/** Whether and how an account signs in, and what it may do then. */
@ApiTags('users')
@Controller('users/:user_id')
export class AccountAccessController {
  constructor(
    private readonly accounts: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  @Put('roles')
  @CheckedByPolicy(CommonPermission.ManageRoles)
  @Audited('update_user_roles', 'user_id')
  @Operation(DOCS.updateUserRoles)
  async updateUserRoles(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdateRolesDto,
  ): Promise<StatusOkDto> {
    await this.accounts.setRoles(actor, id, body.roles);
    return STATUS_OK;
  }

  @Put('active')
  @CheckedByPolicy(UserPermission.SysconsoleWriteUsers, WHO.activates)
  @Audited('update_user_active', 'user_id')
  @Operation(DOCS.updateUserActive)
  async updateUserActive(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdateActiveDto,
  ): Promise<StatusOkDto> {
    await this.accounts.setActive(actor, id, body.active);
    return STATUS_OK;
  }

  @Put('password')
  @CheckedByPolicy(UserPermission.SysconsoleWriteUsers, WHO.setsPassword)
  @Audited('update_password', 'user_id')
  @Operation(DOCS.updateUserPassword)
  async updateUserPassword(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdatePasswordDto,
    @ClientAddress() address: string,
  ): Promise<StatusOkDto> {
    const { current_password: current, new_password: next } = body;
    await this.passwords.change(actor, id, { current, next }, address);
    return STATUS_OK;
  }
}
