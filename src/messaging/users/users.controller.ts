import { Body, Controller, Delete, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/audit/audited.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag, QueryText } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, Public } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { ClientAddress } from '../../platform/common/http/client-address.js';
import { UserPermission } from './users.permissions.js';
import { UsersService } from './users.service.js';
import { UserDto } from './dto/user.dto.js';
import { CreateUserDto, PatchUserDto, UpdateUserDto } from './dto/write-user.dto.js';
import { SignUpService } from './sign-up.service.js';
import { UserIdParam } from './user-id-param.js';
import { UserViewsService } from './user-views.service.js';
import { DOCS, WHO } from './users.docs.js';

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
  @Operation(DOCS.createUser)
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
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO.manages)
  @Audited('update_user', 'user_id')
  @Operation(DOCS.updateUser)
  async updateUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: UpdateUserDto,
    @ClientAddress() address: string,
  ): Promise<UserDto> {
    return this.views.one(actor, await this.accounts.update(actor, id, body, address));
  }

  @Put(':user_id/patch')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO.manages)
  @Audited('patch_user', 'user_id')
  @Operation(DOCS.patchUser)
  async patchUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @Body() body: PatchUserDto,
    @ClientAddress() address: string,
  ): Promise<UserDto> {
    return this.views.one(actor, await this.accounts.patch(actor, id, body, address));
  }

  @Delete(':user_id')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO.deletes)
  @Audited('delete_user', 'user_id')
  @Operation(DOCS.deleteUser)
  async deleteUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() id: string,
    @QueryFlag('permanent', 'Not available.') isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.accounts.deactivate(actor, id, isPermanent);
    return STATUS_OK;
  }
}
