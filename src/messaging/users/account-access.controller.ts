import { Body, Controller, HttpCode, Post, Put } from '@nestjs/common';
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
import { UserDto } from './dto/user.dto.js';
import { UserIdParam } from './user-id-param.js';
import { UserViewsService } from './user-views.service.js';
import { UsersService } from './users.service.js';

/** Whether and how an account signs in, and what it may do then. */
@ApiTags('users')
@Controller('users/:user_id')
export class AccountAccessController {
  constructor(
    private readonly accounts: UsersService,
    private readonly passwords: PasswordsService,
    private readonly views: UserViewsService,
  ) {}

  @Put('roles')
  @CheckedByPolicy(CommonPermission.ManageRoles)
  @Audited('update_user_roles', 'user_id')
  @Operation({
    summary: 'Set the system roles of a user',
    description: 'Takes effect at once. The last administrator stays one.',
    ok: StatusOkDto,
  })
  async updateUserRoles(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdateRolesDto,
  ): Promise<StatusOkDto> {
    await this.accounts.setRoles(actor, id, body.roles);
    return STATUS_OK;
  }

  @Put('active')
  @CheckedByPolicy(
    UserPermission.SysconsoleWriteUsers,
    '`sysconsole_write_user_management_users`, unless the account may do more',
  )
  @Audited('update_user_active', 'user_id')
  @Operation({
    summary: 'Activate or deactivate a user',
    description:
      'Deactivating ends all sessions. Nobody can deactivate the own account, nor the last administrator.',
    ok: StatusOkDto,
    errors: [404],
  })
  async updateUserActive(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdateActiveDto,
  ): Promise<StatusOkDto> {
    await this.accounts.setActive(actor, id, body.active);
    return STATUS_OK;
  }

  @Post('email/verify/member')
  @HttpCode(200)
  @CheckedByPolicy(CommonPermission.ManageSystem)
  @Audited('verify_user_email', 'user_id')
  @Operation({
    summary: 'Mark the e-mail address of a user as verified',
    ok: UserDto,
    errors: [404],
  })
  async verifyUserEmailWithoutToken(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
  ): Promise<UserDto> {
    return this.views.one(actor, await this.accounts.verifyEmail(actor, id));
  }

  @Put('password')
  @CheckedByPolicy(
    UserPermission.SysconsoleWriteUsers,
    'the user, with the current password; others with `sysconsole_write_user_management_users`, unless they may do more',
  )
  @Audited('update_password', 'user_id')
  @Operation({
    summary: 'Set the password of a user',
    description: 'Ends the other sessions of the account.',
    ok: StatusOkDto,
    errors: [404, 429],
  })
  async updateUserPassword(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdatePasswordDto,
    @ClientAddress() address: string,
  ): Promise<StatusOkDto> {
    const { current_password: current, new_password: next } = body;
    const isHashed = String(body.already_hashed) === 'true';
    await this.passwords.change(actor, id, { current, next, isHashed }, address);
    return STATUS_OK;
  }
}
