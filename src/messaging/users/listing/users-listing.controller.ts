import { Body, Controller, Get, Header, Post } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Operation } from '../../../platform/common/dto/operation.js';
import {
  type Page,
  QueryId,
  QueryNumber,
  QueryPage,
  QueryText,
  TextParam,
} from '../../../platform/common/dto/params.js';
import { SignedIn } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { SearchUsersDto, UserAutocompleteDto, UserDto, UserStatsDto } from '../dto/user.dto.js';
import { UserViewsService } from '../user-views.service.js';
import { UserListQuery } from './list-query.js';
import { type ListQuery, UsersListingService } from './users-listing.service.js';
import { StringListBody } from '../../../platform/common/dto/body.pipe.js';
import { AccountLookupService } from '../account-lookup.service.js';
import { DEFAULT_AVATAR } from '../default-avatar.js';
import { UserIdParam } from '../visible-users.js';

const WHO_LISTS = 'any signed-in user; `view_team` or `read_channel` for the filters by team and channel';

const MAX_KEYS = 10_000;

/** Lists accounts: all, by filters, or by name prefix. */
@ApiTags('users')
@Controller('users')
export class UsersListingController {
  constructor(
    private readonly listing: UsersListingService,
    private readonly views: UserViewsService,
    private readonly lookup: AccountLookupService,
  ) {}

  @Get()
  @SignedIn(WHO_LISTS)
  @Operation({
    summary: 'List users',
    description: 'By username. Deactivated accounts are in it unless `active` is true.',
    ok: [UserDto],
    errors: [403],
  })
  async getUsers(
    @CurrentActor() actor: Actor,
    @UserListQuery() query: ListQuery,
    @QueryPage() page: Page,
  ): Promise<UserDto[]> {
    return this.views.list(actor, await this.listing.list(actor, query, page));
  }

  @Get('stats')
  @SignedIn()
  @Operation({ summary: 'Count the active users', ok: UserStatsDto })
  async getTotalUsersStats(@CurrentActor() actor: Actor): Promise<UserStatsDto> {
    return { total_users_count: await this.listing.count(actor) };
  }

  @Get('known')
  @SignedIn()
  @Operation({
    summary: 'List the ids of the users with whom you share a channel',
    description: 'At most 10,000.',
    ok: { schema: { type: 'array', items: { type: 'string' }, example: ['b1f8zcm5wtd5jfzn8u5fxpbkje'] } },
  })
  getKnownUsers(@CurrentActor() actor: Actor): Promise<string[]> {
    return this.listing.listKnown(actor);
  }

  @Get('autocomplete')
  @SignedIn('any signed-in user; `view_team` and `read_channel` for the filters')
  @Operation({ summary: 'Complete the name of a user', ok: UserAutocompleteDto, errors: [403] })
  async autocompleteUsers(
    @CurrentActor() actor: Actor,
    @QueryId('in_team', 'Only members of this team.') inTeam: string | undefined,
    @QueryId('team_id', 'The published name of `in_team`, which clients send.') teamId: string | undefined,
    @QueryId('in_channel', 'Only members of this channel; others of the team come apart.')
    inChannel: string | undefined,
    @QueryId('channel_id', 'The published name of `in_channel`.') channelId: string | undefined,
    @QueryNumber('limit', 'How many at most.', { default: 100, maximum: 1000 }) limit: number,
    @QueryText('name', { description: 'How the name begins.', example: 'ann' }) name = '',
  ): Promise<UserAutocompleteDto> {
    const { users, outOfChannel } = await this.listing.autocomplete(
      actor,
      { inTeam: inTeam ?? teamId, inChannel: inChannel ?? channelId },
      name,
      limit,
    );
    return {
      users: await this.views.list(actor, users),
      out_of_channel: outOfChannel && (await this.views.list(actor, outOfChannel)),
    };
  }

  @Post('search')
  @SignedIn(WHO_LISTS)
  @Operation({
    summary: 'Search users',
    description: 'By the beginning of the username, a name, the nickname or the e-mail address.',
    ok: [UserDto],
    errors: [403],
  })
  async searchUsers(@CurrentActor() actor: Actor, @Body() search: SearchUsersDto): Promise<UserDto[]> {
    return this.views.list(actor, await this.listing.search(actor, search));
  }

  @Get('username/:username')
  @SignedIn('whoever may see the user')
  @Operation({ summary: 'Get a user by username', ok: UserDto, errors: [400, 403, 404] })
  async getUserByUsername(
    @CurrentActor() actor: Actor,
    @TextParam('username', { description: 'The username.', example: 'anna' }) username: string,
  ): Promise<UserDto> {
    return this.views.one(actor, await this.lookup.getByUsername(actor, username));
  }

  @Get('email/:email')
  @SignedIn('whoever may see the user')
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
  @SignedIn('whoever may see the user')
  @Operation({ summary: 'Get a user', ok: UserDto, errors: [403, 404] })
  async getUser(@CurrentActor() actor: Actor, @UserIdParam() id: string): Promise<UserDto> {
    return this.views.one(actor, await this.lookup.get(actor, id));
  }

  @Get(':user_id/image')
  @SignedIn('whoever may see the user')
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
