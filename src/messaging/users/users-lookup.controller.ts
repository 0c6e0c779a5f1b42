import { Controller, Get, Header, Post } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryNumber, TextParam } from '../../platform/common/dto/params.js';
import { SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { AccountLookupService } from './account-lookup.service.js';
import { DEFAULT_AVATAR } from './default-avatar.js';
import { UserDto } from './dto/user.dto.js';
import { UserIdParam } from './user-id-param.js';
import { UserViewsService } from './user-views.service.js';

const MAX_KEYS = 10_000;

/** Accounts by their ids, names and addresses. */
@ApiTags('users')
@Controller('users')
@SignedIn('whoever may see the user')
export class UsersLookupController {
  constructor(
    private readonly lookup: AccountLookupService,
    private readonly views: UserViewsService,
  ) {}

  @Get('username/:username')
  @Operation({ summary: 'Get a user by username', ok: UserDto, errors: [400, 403, 404] })
  async getUserByUsername(
    @CurrentActor() actor: Actor,
    @TextParam('username', { description: 'The username.', example: 'anna' }) username: string,
  ): Promise<UserDto> {
    return this.views.one(actor, await this.lookup.getByUsername(actor, username));
  }

  @Get('email/:email')
  @Operation({ summary: 'Get a user by e-mail address', ok: UserDto, errors: [400, 403, 404] })
  async getUserByEmail(
    @CurrentActor() actor: Actor,
    @TextParam('email', { description: 'The e-mail address.', example: 'anna@example.com' }) email: string,
  ): Promise<UserDto> {
    return this.views.one(actor, await this.lookup.getByEmail(actor, email));
  }

  @Post('ids')
  @SignedIn()
  @Operation({
    summary: 'Get several users by id',
    description: 'Unknown ids are skipped. Accounts of more than 16 MiB together are a 400.',
    ok: [UserDto],
  })
  async getUsersByIds(
    @CurrentActor() actor: Actor,
    @StringListBody('user_ids', MAX_KEYS, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
    @QueryNumber('since', 'Only accounts changed after this time, in milliseconds.') since: number,
  ): Promise<UserDto[]> {
    return this.views.list(actor, await this.lookup.listByIds(actor, ids, since));
  }

  @Post('usernames')
  @SignedIn()
  @Operation({
    summary: 'Get several users by username',
    description: 'Unknown names are skipped. Accounts of more than 16 MiB together are a 400.',
    ok: [UserDto],
  })
  async getUsersByUsernames(
    @CurrentActor() actor: Actor,
    @StringListBody('usernames', MAX_KEYS, 'anna') usernames: string[],
  ): Promise<UserDto[]> {
    return this.views.list(actor, await this.lookup.listByUsernames(actor, usernames));
  }

  @Get(':user_id')
  @Operation({ summary: 'Get a user', ok: UserDto, errors: [403, 404] })
  async getUser(@CurrentActor() actor: Actor, @UserIdParam() id: string): Promise<UserDto> {
    return this.views.one(actor, await this.lookup.get(actor, id));
  }

  @Get(':user_id/image')
  @Header('Content-Type', 'image/png')
  @Header('Cache-Control', 'private, max-age=86400')
  @Operation({
    summary: 'Get the picture of a user',
    description: 'The same picture for every account.',
    errors: [403, 404],
  })
  @ApiProduces('image/png')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  async getProfileImage(@CurrentActor() actor: Actor, @UserIdParam() id: string): Promise<Buffer> {
    await this.lookup.get(actor, id); // throws unless the caller may see the account
    return DEFAULT_AVATAR;
  }
}
