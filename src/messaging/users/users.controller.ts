import { Body, Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ClientAddress } from '../../platform/common/http/client-address.js';
import { UserPermission, UsersPolicy, WHO_ACTS_FOR_USER } from './users.policy.js';
import { AccountsService } from './accounts.service.js';
import { UsersService } from './users.service.js';
import {
  CreateUserDto,
  PatchUserDto,
  UpdateActiveDto,
  UpdatePasswordDto,
  UpdateRolesDto,
  UpdateUserDto,
  UserDto,
} from './dto/user.dto.js';
import { UserIdParam } from './user-id-param.js';
import { CommonPermission } from '../permissions/common.permissions.js';

/** Creates accounts and updates their profiles. */
@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly accounts: AccountsService,
    private readonly policy: UsersPolicy,
  ) {}

  @Post()
  @Public({ who: 'none' })
  @Audited('create_user')
  @ApiBearerAuth()
  @Operation({
    summary: 'Create a user',
    description:
      'The first account of a server becomes its administrator. Later ones require an administrator, an invitation (`iid`), or an open server (`ENABLE_OPEN_SERVER`).',
    created: UserDto,
    errors: [401, 403, 404, 429, 501],
  })
  async createUser(
    @CurrentActor() actor: Actor,
    @Body() body: CreateUserDto,
    @QueryText('iid', 'The invite id of a team, which the new user joins.') inviteId: string | undefined,
    @QueryText('t', 'The token of an e-mail invitation; this server sends none.') token: string | undefined,
    @ClientAddress() address: string,
  ): Promise<UserDto> {
    return UserDto.from(await this.users.signUp(actor, body, { inviteId, token }, address), 'self');
  }

  @Put(':user_id')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Audited('update_user', 'user_id')
  @Operation({
    summary: 'Change a user',
    description:
      "Missing fields do not change. One's own e-mail address changes only with the current `password`.",
    ok: UserDto,
    errors: [404, 429],
  })
  async updateUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdateUserDto,
    @ClientAddress() address: string,
  ): Promise<UserDto> {
    return this.policy.shown(actor, await this.accounts.update(actor, id, body, address));
  }

  @Put(':user_id/patch')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Audited('patch_user', 'user_id')
  @Operation({
    summary: 'Change some fields of a user',
    description:
      "Missing fields do not change. One's own e-mail address changes only with the current `password`.",
    ok: UserDto,
    errors: [429],
  })
  async patchUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: PatchUserDto,
    @ClientAddress() address: string,
  ): Promise<UserDto> {
    return this.policy.shown(actor, await this.accounts.patch(actor, id, body, address));
  }

  @Delete(':user_id')
  @CheckedByPolicy(
    UserPermission.EditOtherUsers,
    '`edit_other_users`, unless the target has more permissions; `manage_system` for the own account',
  )
  @Audited('delete_user', 'user_id')
  @Operation({
    summary: 'Deactivate a user',
    description: 'Ends all sessions; no data is deleted.',
    ok: StatusOkDto,
    errors: [404],
  })
  async deleteUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @QueryFlag('permanent', 'Not available.') isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.accounts.deactivate(actor, id, isPermanent);
    return STATUS_OK;
  }

  @Put(':user_id/roles')
  @CheckedByPolicy(CommonPermission.ManageRoles)
  @Audited('update_user_roles', 'user_id')
  @Operation({
    summary: 'Set the system roles of a user',
    description: 'Takes effect at once. The last administrator must stay one.',
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

  @Put(':user_id/active')
  @CheckedByPolicy(
    UserPermission.SysconsoleWriteUsers,
    '`sysconsole_write_user_management_users`, unless the target has more permissions',
  )
  @Audited('update_user_active', 'user_id')
  @Operation({
    summary: 'Activate or deactivate a user',
    description:
      'Deactivating ends all sessions. Neither the own account nor the last administrator can be deactivated.',
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

  @Post(':user_id/email/verify/member')
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
    return this.policy.shown(actor, await this.accounts.verifyEmail(actor, id));
  }

  @Put(':user_id/password')
  @CheckedByPolicy(
    UserPermission.SysconsoleWriteUsers,
    'the user, with the current password; others with `sysconsole_write_user_management_users`, unless the target has more permissions',
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
    await this.accounts.changePassword(actor, id, { current, next, isHashed }, address);
    return STATUS_OK;
  }
}
