import { Body, Controller, Delete, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { UsersService } from './users.service.js';
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
import { DOCS } from './users.docs.js';

@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly signUp: SignUpService,
    private readonly accounts: UsersService,
    private readonly passwords: PasswordsService,
    private readonly policy: UsersPolicy,
  ) {}

  @Post()
  @Public({ who: 'none' })
  @Audited('create_user')
  @ApiBearerAuth()
  @Operation(DOCS.createUser)
  async createUser(
    @CurrentActor() actor: Actor,
    @Body() body: CreateUserDto,
    @QueryText('iid', 'The invite id of a team, which the new user joins.') inviteId: string | undefined,
    @QueryText('t', 'The token of an invitation by mail; this server sends none.') token: string | undefined,
  ): Promise<UserDto> {
    return UserDto.from(await this.signUp.signUp(actor, body, { inviteId, token }), 'self');
  }

  @Put(':user_id')
  @CheckedByPolicy(
    Permission.EditOtherUsers,
    'the user; others with `edit_other_users`, and `manage_system` for administrators',
  )
  @Audited('update_user', 'user_id')
  @Operation(DOCS.updateUser)
  async updateUser(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdateUserDto,
  ): Promise<UserDto> {
    return this.seenBy(actor, await this.accounts.update(actor, id, body));
  }

  @Put(':user_id/patch')
  @CheckedByPolicy(
    Permission.EditOtherUsers,
    'the user; others with `edit_other_users`, and `manage_system` for administrators',
  )
  @Audited('patch_user', 'user_id')
  @Operation(DOCS.patchUser)
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
  @Operation(DOCS.updateUserRoles)
  async updateUserRoles(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdateRolesDto,
  ): Promise<StatusOkDto> {
    await this.accounts.setRoles(actor, id, body.roles ?? '');
    return STATUS_OK;
  }

  @Put(':user_id/active')
  @CheckedByPolicy(
    Permission.SysconsoleWriteUsers,
    '`sysconsole_write_user_management_users`, and `manage_system` for administrators',
  )
  @Audited('update_user_active', 'user_id')
  @Operation(DOCS.updateUserActive)
  async updateUserActive(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdateActiveDto,
  ): Promise<StatusOkDto> {
    await this.accounts.setActive(actor, id, body.active);
    return STATUS_OK;
  }

  @Put(':user_id/password')
  @CheckedByPolicy(
    Permission.SysconsoleWriteUsers,
    'the user, with the current password; others with `sysconsole_write_user_management_users`, and `manage_system` for administrators',
  )
  @Audited('update_password', 'user_id')
  @Operation(DOCS.updateUserPassword)
  async updateUserPassword(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Body() body: UpdatePasswordDto,
  ): Promise<StatusOkDto> {
    await this.passwords.change(actor, id, body.current_password ?? '', body.new_password ?? '');
    return STATUS_OK;
  }

  @Delete(':user_id')
  @CheckedByPolicy(
    Permission.EditOtherUsers,
    '`edit_other_users`, and `manage_system` for administrators and for the own account',
  )
  @Audited('delete_user', 'user_id')
  @Operation(DOCS.deleteUser)
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
