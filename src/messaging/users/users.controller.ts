import { Body, Controller, Delete, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ClientAddress } from '../../platform/common/http/client-address.js';
import { UserPermission, WHO_ACTS_FOR_USER } from './users.permissions.js';
import { UsersService } from './users.service.js';
import { UserDto } from './dto/user.dto.js';
import { CreateUserDto, PatchUserDto, UpdateUserDto } from './dto/write-user.dto.js';
import { SignUpService } from './sign-up.service.js';
import { UserIdParam } from './user-id-param.js';
import { UserViewsService } from './user-views.service.js';

/** Makes accounts, and changes their profiles. */
@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(
    private readonly signUp: SignUpService,
    private readonly accounts: UsersService,
    private readonly views: UserViewsService,
  ) {}

  @Post()
  @Public({ who: 'none' })
  @Audited('create_user')
  @ApiBearerAuth()
  @Operation({
    summary: 'Create a user',
    description:
      'The first account of a server becomes its administrator. Later ones need an administrator, an invitation (`iid`), or an open server (`ENABLE_OPEN_SERVER`).',
    created: UserDto,
    errors: [401, 403, 404, 429, 501],
  })
  async createUser(
    @CurrentActor() actor: Actor,
    @Body() body: CreateUserDto,
    @QueryText('iid', 'The invite id of a team, which the new user joins.') inviteId: string | undefined,
    @QueryText('t', 'The token of an invitation by mail; this server sends none.') token: string | undefined,
    @ClientAddress() address: string,
  ): Promise<UserDto> {
    return UserDto.from(await this.signUp.signUp(actor, body, { inviteId, token }, address), 'self');
  }

  @Put(':user_id')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Audited('update_user', 'user_id')
  @Operation({
    summary: 'Change a user',
    description: 'What is absent stays. The own e-mail address changes with the current `password` only.',
    ok: UserDto,
    errors: [404, 429],
  })
  async updateUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdateUserDto,
    @ClientAddress() address: string,
  ): Promise<UserDto> {
    return this.views.one(actor, await this.accounts.update(actor, id, body, address));
  }

  @Put(':user_id/patch')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Audited('patch_user', 'user_id')
  @Operation({
    summary: 'Change some fields of a user',
    description: 'What is absent stays. The own e-mail address changes with the current `password` only.',
    ok: UserDto,
    errors: [429],
  })
  async patchUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: PatchUserDto,
    @ClientAddress() address: string,
  ): Promise<UserDto> {
    return this.views.one(actor, await this.accounts.patch(actor, id, body, address));
  }

  @Delete(':user_id')
  @CheckedByPolicy(
    UserPermission.EditOtherUsers,
    '`edit_other_users`, unless the account may do more; `manage_system` for the own account',
  )
  @Audited('delete_user', 'user_id')
  @Operation({
    summary: 'Deactivate a user',
    description: 'Ends all sessions; nothing is erased.',
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
}
