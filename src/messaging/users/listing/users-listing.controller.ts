import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../../platform/common/dto/operation.js';
import {
  type Page,
  QueryId,
  QueryNumber,
  QueryPage,
  QueryText,
} from '../../../platform/common/dto/params.js';
import { SignedIn } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { SearchUsersDto, UserAutocompleteDto, UserStatsDto } from '../dto/search-users.dto.js';
import { UserDto } from '../dto/user.dto.js';
import { UserViewsService } from '../user-views.service.js';
import { UserListQuery } from './list-query.js';
import { type ListQuery, UsersListingService } from './users-listing.service.js';

const WHO_LISTS = 'any signed-in user; `view_team` or `read_channel` for the filters by team and channel';

/** Lists of accounts: all, by filters, and by the beginning of a name. */
@ApiTags('users')
@Controller('users')
export class UsersListingController {
  constructor(
    private readonly listing: UsersListingService,
    private readonly views: UserViewsService,
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
}
