import { Body, Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { AccountsService } from './accounts.service.js';
import { UserDto } from './dto/user.dto.js';
import {
  CreateUserDto,
  PatchUserDto,
  UpdateActiveDto,
  UpdatePasswordDto,
  UpdateRolesDto,
  UpdateUserDto,
} from './dto/write-user.dto.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { SignUpService } from './sign-up.service.js';
import { UserIdParam } from './user-id-param.js';
import type { User } from './user.entity.js';
import { UsersPolicy } from './users.policy.js';

@ApiTags('users')
@ApiBearerAuth()
@Controller('users')
export class UsersController {
  constructor(
    private readonly signUp: SignUpService,
    private readonly accounts: AccountsService,
    private readonly passwords: PasswordsService,
    private readonly policy: UsersPolicy,
  ) {}

  @Post()
  @Public()
  @Audited('create_user')
  @Operation({
    summary: 'Create a user',
    description:
      'The first account of a server becomes its administrator. Later ones need an administrator, an invitation (`iid`), or an open server (`ENABLE_OPEN_SERVER`).',
    permission: 'none',
    errors: [400, 401, 403, 404, 501],
  })
  @ApiCreatedResponse({ type: UserDto })
  async createUser(
    @CurrentActor() actor: Actor,
    @Body() body: CreateUserDto,
    @QueryText('iid', 'The invite id of a team, which the new user joins.') inviteId: string | undefined,
    @QueryText('t', 'The token of an invitation by mail; this server sends none.') token: string | undefined,
  ): Promise<UserDto> {
    return UserDto.from(await this.signUp.signUp(actor, body, { inviteId, token }), 'self');
  }

  @Put(':user_id')
  @CheckedByPolicy(Permission.EditOtherUsers)
  @Audited('update_user', 'user_id')
  @Operation({
    summary: 'Change a user',
    description: 'What is absent stays. The own e-mail address changes with the current `password` only.',
    permission: 'the user; others with `edit_other_users`, and `manage_system` for administrators',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: UserDto })
  async updateUser(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdateUserDto,
  ): Promise<UserDto> {
    return this.seenBy(actor, await this.accounts.update(actor, id, body));
  }

  @Put(':user_id/patch')
  @CheckedByPolicy(Permission.EditOtherUsers)
  @Audited('patch_user', 'user_id')
  @Operation({
    summary: 'Change some fields of a user',
    description: 'What is absent stays. The own e-mail address changes with the current `password` only.',
    permission: 'the user; others with `edit_other_users`, and `manage_system` for administrators',
    errors: [400, 401, 403],
  })
  @ApiOkResponse({ type: UserDto })
  async patchUser(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: PatchUserDto,
  ): Promise<UserDto> {
    return this.seenBy(actor, await this.accounts.patch(actor, id, body));
  }

  @Put(':user_id/roles')
  @CheckedByPolicy(Permission.ManageRoles)
  @Audited('update_user_roles', 'user_id')
  @Operation({
    summary: 'Set the system roles of a user',
    description: 'Takes effect at once. The last administrator stays one.',
    permission: '`manage_roles`',
    errors: [400, 401, 403],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async updateUserRoles(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdateRolesDto,
  ): Promise<StatusOkDto> {
    await this.accounts.setRoles(actor, id, body.roles ?? '');
    return STATUS_OK;
  }

  @Put(':user_id/active')
  @CheckedByPolicy(Permission.SysconsoleWriteUsers)
  @Audited('update_user_active', 'user_id')
  @Operation({
    summary: 'Activate or deactivate a user',
    description:
      'Deactivating ends all sessions. Nobody can deactivate the own account, nor the last administrator.',
    permission: '`sysconsole_write_user_management_users`, and `manage_system` for administrators',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async updateUserActive(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdateActiveDto,
  ): Promise<StatusOkDto> {
    await this.accounts.setActive(actor, id, body.active);
    return STATUS_OK;
  }

  @Put(':user_id/password')
  @CheckedByPolicy(Permission.SysconsoleWriteUsers)
  @Audited('update_password', 'user_id')
  @Operation({
    summary: 'Set the password of a user',
    description: 'Ends the other sessions of the account.',
    permission:
      'the user, with the current password; others with `sysconsole_write_user_management_users`, and `manage_system` for administrators',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async updateUserPassword(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdatePasswordDto,
  ): Promise<StatusOkDto> {
    await this.passwords.change(actor, id, body.current_password ?? '', body.new_password ?? '');
    return STATUS_OK;
  }

  @Delete(':user_id')
  @HttpCode(200)
  @CheckedByPolicy(Permission.EditOtherUsers)
  @Audited('delete_user', 'user_id')
  @Operation({
    summary: 'Deactivate a user',
    description: 'Ends all sessions; nothing is erased.',
    permission: '`edit_other_users`, and `manage_system` for administrators and for the own account',
    errors: [400, 401, 403, 404],
  })
  @ApiOkResponse({ type: StatusOkDto })
  async deleteUser(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @QueryFlag('permanent', 'Not available.') isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.accounts.deactivate(actor, id, isPermanent);
    return STATUS_OK;
  }

  private async seenBy(actor: Actor, user: User): Promise<UserDto> {
    return UserDto.from(user, (await this.policy.viewOf(actor))(user));
  }
}
