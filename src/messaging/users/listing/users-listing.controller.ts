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
import { DOCS, WHO } from '../users-lookup.docs.js';
import { UserListQuery } from './list-query.js';
import { type ListQuery, UsersListingService } from './users-listing.service.js';

/** Lists of accounts: all, by filters, and by the beginning of a name. */
@ApiTags('users')
@Controller('users')
export class UsersListingController {
  constructor(
    private readonly listing: UsersListingService,
    private readonly views: UserViewsService,
  ) {}

  @Get()
  @SignedIn(WHO.lists)
  @Operation(DOCS.getUsers)
  async getUsers(
    @CurrentActor() actor: Actor,
    @UserListQuery() query: ListQuery,
    @QueryPage() page: Page,
  ): Promise<UserDto[]> {
    return this.views.list(actor, await this.listing.list(actor, query, page));
  }

  @Get('stats')
  @SignedIn()
  @Operation(DOCS.getTotalUsersStats)
  async getTotalUsersStats(@CurrentActor() actor: Actor): Promise<UserStatsDto> {
    return { total_users_count: await this.listing.count(actor) };
  }

  @Get('known')
  @SignedIn()
  @Operation(DOCS.getKnownUsers)
  getKnownUsers(@CurrentActor() actor: Actor): Promise<string[]> {
    return this.listing.listKnown(actor);
  }

  @Get('autocomplete')
  @SignedIn(WHO.completes)
  @Operation(DOCS.autocompleteUsers)
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
  @SignedIn(WHO.lists)
  @Operation(DOCS.searchUsers)
  async searchUsers(@CurrentActor() actor: Actor, @Body() search: SearchUsersDto): Promise<UserDto[]> {
    return this.views.list(actor, await this.listing.search(actor, search));
  }
}
