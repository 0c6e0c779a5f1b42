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
import { UsersPolicy } from '../users.policy.js';
import { UserListQuery } from './list-query.js';
import { type ListQuery, UsersListingService } from './users-listing.service.js';
import { StringListBody } from '../../../platform/common/dto/body.pipe.js';
import { UsersService } from '../users.service.js';
import { UserIdParam } from '../user-id-param.js';

const WHO_LISTS = 'any signed-in user; `view_team` or `read_channel` for the filters by team and channel';

const MAX_KEYS = 10_000;

/** The picture of every account: a PNG of 128 × 128 pixels. */
const DEFAULT_AVATAR = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAIAAAACAAQMAAAD58POIAAAABlBMVEVXYGr///95+8e4AAAA1klEQVR42u3TMQ6EIBQEUImFJUfwKB5NjuZRPAKl' +
    'hXE2xBAYZpVkVxOzWTpeAZ//h6b5rx9b48b7FpgILOAJemDhIwA+BADyvQng+BK+pgswn4EN4LkMLkRgCLCewRhg+w6A4rlPgSseV29hfQwyufqw' +
    'JR+SIMmYplByKkmWrMtveOwyRTv0tWWDpKcyl+r3MHvGHJ+Zn9rtMHMa8tKGHVa+JL8G4CibCO4I2ggTl5EKsRH8EfQRFi40lSowRtiOACgeUwWT' +
    'wL2HNsH0KXQJ5svAJvA3wQtFRmbFBgj36QAAAABJRU5ErkJggg==',
  'base64',
);

/** Lists accounts: all, by filters, or by name prefix. */
@ApiTags('users')
@Controller('users')
export class UsersListingController {
  constructor(
    private readonly listing: UsersListingService,
    private readonly users: UsersService,
    private readonly policy: UsersPolicy,
  ) {}

  @Get()
  @SignedIn(WHO_LISTS)
  @Operation({
    summary: 'List users',
    description: 'By username. Deactivated accounts are included unless `active` is true.',
    ok: [UserDto],
    errors: [403],
  })
  async getUsers(
    @CurrentActor() actor: Actor,
    @UserListQuery() query: ListQuery,
    @QueryPage() page: Page,
  ): Promise<UserDto[]> {
    return this.policy.shownAll(actor, await this.listing.list(actor, query, page));
  }

  @Get('stats')
  @SignedIn()
  @Operation({ summary: 'Count the active users', ok: UserStatsDto })
  async getTotalUsersStats(): Promise<UserStatsDto> {
    return { total_users_count: await this.listing.count() };
  }

  @Get('known')
  @SignedIn()
  @Operation({
    summary: 'List the ids of users who share a channel with you',
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
    @QueryId('in_channel', 'Only members of this channel; others of the team are listed separately.')
    inChannel: string | undefined,
    @QueryId('channel_id', 'The published name of `in_channel`.') channelId: string | undefined,
    @QueryNumber('limit', 'Maximum number of users.', { default: 100, maximum: 1000 }) limit: number,
    @QueryText('name', { description: 'A prefix of the name.', example: 'ann' }) name = '',
  ): Promise<UserAutocompleteDto> {
    const { users, outOfChannel } = await this.listing.autocomplete(
      actor,
      { inTeam: inTeam ?? teamId, inChannel: inChannel ?? channelId },
      name,
      limit,
    );
    return {
      users: await this.policy.shownAll(actor, users),
      out_of_channel: outOfChannel && (await this.policy.shownAll(actor, outOfChannel)),
    };
  }

  @Post('search')
  @SignedIn(WHO_LISTS)
  @Operation({
    summary: 'Search users',
    description: 'By a prefix of the username, a name, the nickname or the e-mail address.',
    ok: [UserDto],
    errors: [403],
  })
  async searchUsers(@CurrentActor() actor: Actor, @Body() search: SearchUsersDto): Promise<UserDto[]> {
    return this.policy.shownAll(actor, await this.listing.search(actor, search));
  }

  @Post('ids')
  @SignedIn()
  @Operation({
    summary: 'Get several users by id',
    description: 'Unknown ids are skipped. More than 16 MiB of accounts return 400.',
    ok: [UserDto],
  })
  async getUsersByIds(
    @CurrentActor() actor: Actor,
    @StringListBody('user_ids', MAX_KEYS, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
    @QueryNumber('since', 'Only accounts changed after this time, in milliseconds.') since: number,
  ): Promise<UserDto[]> {
    return this.policy.shownAll(actor, await this.listing.listByIds(ids, since));
  }

  @Post('usernames')
  @SignedIn()
  @Operation({
    summary: 'Get several users by username',
    description: 'Unknown names are skipped. More than 16 MiB of accounts return 400.',
    ok: [UserDto],
  })
  async getUsersByUsernames(
    @CurrentActor() actor: Actor,
    @StringListBody('usernames', MAX_KEYS, 'anna') usernames: string[],
  ): Promise<UserDto[]> {
    return this.policy.shownAll(actor, await this.listing.listByUsernames(usernames));
  }

  @Get(':user_id')
  @SignedIn()
  @Operation({ summary: 'Get a user', ok: UserDto, errors: [404] })
  async getUser(@CurrentActor() actor: Actor, @UserIdParam() id: string): Promise<UserDto> {
    return this.policy.shown(actor, await this.users.get(id));
  }

  @Get(':user_id/image')
  @SignedIn()
  @Header('Content-Type', 'image/png')
  @Header('Cache-Control', 'private, max-age=86400')
  @Operation({
    summary: 'Get the picture of a user',
    description: 'The same picture for every account.',
    errors: [404],
  })
  @ApiProduces('image/png')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  async getProfileImage(@UserIdParam() id: string): Promise<Buffer> {
    await this.users.get(id);
    return DEFAULT_AVATAR;
  }
}

/** Finds an account by name or address. Its routes precede `users/:user_id/…`, which would match `users/username/tokens`. */
@ApiTags('users')
@Controller('users')
export class UserLookupController {
  constructor(
    private readonly listing: UsersListingService,
    private readonly policy: UsersPolicy,
  ) {}

  @Get('username/:username')
  @SignedIn()
  @Operation({ summary: 'Get a user by username', ok: UserDto, errors: [400, 404] })
  async getUserByUsername(
    @CurrentActor() actor: Actor,
    @TextParam('username', { description: 'The username.', example: 'anna' }) username: string,
  ): Promise<UserDto> {
    return this.policy.shown(actor, await this.listing.getByUsername(username));
  }

  @Get('email/:email')
  @SignedIn()
  @Operation({ summary: 'Get a user by e-mail address', ok: UserDto, errors: [400, 404] })
  async getUserByEmail(
    @CurrentActor() actor: Actor,
    @TextParam('email', { description: 'The e-mail address.', example: 'anna@example.com' }) email: string,
  ): Promise<UserDto> {
    return this.policy.shown(actor, await this.listing.getByEmail(email));
  }
}
