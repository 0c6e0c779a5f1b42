import { Body, Controller, Get, Header, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { type Page, QueryId, QueryPage, QueryText, wholeNumber } from '../../platform/common/dto/params.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { SignedIn } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { AccountLookupService } from './account-lookup.service.js';
import { drawAvatar } from './avatar/avatar.js';
import { conditional } from './conditional-answer.js';
import { SearchUsersDto, UserAutocompleteDto, UserStatsDto } from './dto/search-users.dto.js';
import { UserDto } from './dto/user.dto.js';
import { ApiUserListQuery, UserListQuery } from './listing/list-query.js';
import { type ListQuery, UsersListingService } from './listing/users-listing.service.js';
import { UserIdParam } from './user-id-param.js';
import type { User } from './user.entity.js';
import { UsersPolicy } from './users.policy.js';
import { DOCS } from './users-lookup.docs.js';

const MAX_KEYS = 10_000;
const NOT_MODIFIED = {
  status: 304,
  description: 'The client has this version: its ETag came in If-None-Match.',
};

@ApiTags('users')
@Controller('users')
@SignedIn('whoever may see the user')
export class UsersLookupController {
  constructor(
    private readonly lookup: AccountLookupService,
    private readonly listing: UsersListingService,
    private readonly policy: UsersPolicy,
  ) {}

  @Get()
  @SignedIn('any signed-in user; `view_team` or `read_channel` for the filters by team and channel')
  @Operation(DOCS.getUsers)
  @ApiUserListQuery()
  async getUsers(
    @CurrentActor() actor: Actor,
    @UserListQuery() query: ListQuery,
    @QueryPage() page: Page,
  ): Promise<UserDto[]> {
    return this.seenBy(actor, await this.listing.list(actor, query, page));
  }

  @Get('stats')
  @SignedIn()
  @Operation(DOCS.getTotalUsersStats)
  async getTotalUsersStats(@CurrentActor() actor: Actor): Promise<UserStatsDto> {
    return { total_users_count: await this.listing.count(actor) };
  }

  @Get('autocomplete')
  @SignedIn('any signed-in user; `view_team` and `read_channel` for the filters')
  @Operation(DOCS.autocompleteUsers)
  async autocompleteUsers(
    @CurrentActor() actor: Actor,
    @QueryId('in_team', 'Only members of this team.') inTeam: string | undefined,
    @QueryId('in_channel', 'Only members of this channel; others of the team come apart.')
    inChannel: string | undefined,
    @QueryText('name', { description: 'How the name begins.', example: 'ann' }) name = '',
    @QueryText('limit', {
      description: 'How many at most.',
      schema: { type: 'integer', default: 100, maximum: 1000 },
    })
    limit = '',
  ): Promise<UserAutocompleteDto> {
    const found = await this.listing.autocomplete(actor, { inTeam, inChannel }, name, wholeNumber(limit, 0));
    return {
      users: await this.seenBy(actor, found.users),
      ...(found.outOfChannel && { out_of_channel: await this.seenBy(actor, found.outOfChannel) }),
    };
  }

  @Get('username/:username')
  @Operation(DOCS.getUserByUsername)
  @ApiParam({ name: 'username', example: 'anna' })
  @ApiResponse(NOT_MODIFIED)
  async getUserByUsername(
    @CurrentActor() actor: Actor,
    @Param('username') username: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserDto | undefined> {
    return conditional(
      request,
      response,
      await this.one(actor, await this.lookup.getByUsername(actor, username)),
    );
  }

  @Get('email/:email')
  @Operation(DOCS.getUserByEmail)
  @ApiParam({ name: 'email', example: 'anna@example.com' })
  @ApiResponse(NOT_MODIFIED)
  async getUserByEmail(
    @CurrentActor() actor: Actor,
    @Param('email') email: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserDto | undefined> {
    return conditional(request, response, await this.one(actor, await this.lookup.getByEmail(actor, email)));
  }

  @Post('ids')
  @SignedIn()
  @Operation(DOCS.getUsersByIds)
  async getUsersByIds(
    @CurrentActor() actor: Actor,
    @StringListBody('user_ids', MAX_KEYS, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
    @QueryText('since', {
      schema: { type: 'integer' },
      description: 'Only accounts changed after this time, in milliseconds.',
    })
    since = '',
  ): Promise<UserDto[]> {
    return this.seenBy(actor, await this.lookup.listByIds(actor, ids, wholeNumber(since, 0)));
  }

  @Post('usernames')
  @SignedIn()
  @Operation(DOCS.getUsersByUsernames)
  async getUsersByUsernames(
    @CurrentActor() actor: Actor,
    @StringListBody('usernames', MAX_KEYS, 'anna') usernames: string[],
  ): Promise<UserDto[]> {
    return this.seenBy(actor, await this.lookup.listByUsernames(actor, usernames));
  }

  @Post('search')
  @SignedIn('any signed-in user; `view_team` or `read_channel` for the filters by team and channel')
  @Operation(DOCS.searchUsers)
  async searchUsers(@CurrentActor() actor: Actor, @Body() search: SearchUsersDto): Promise<UserDto[]> {
    return this.seenBy(actor, await this.listing.search(actor, search));
  }

  @Get(':user_id')
  @Operation(DOCS.getUser)
  @ApiResponse(NOT_MODIFIED)
  async getUser(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserDto | undefined> {
    return conditional(request, response, await this.one(actor, await this.lookup.get(actor, id)));
  }

  @Get(':user_id/image')
  @Header('Content-Type', 'image/png')
  @Header('Cache-Control', 'private, max-age=86400')
  @Operation(DOCS.getProfileImage)
  @ApiProduces('image/png')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiResponse(NOT_MODIFIED)
  async getProfileImage(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') id: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Buffer | undefined> {
    const user = await this.lookup.get(actor, id);
    return conditional(request, response, drawAvatar(user.id, user.username));
  }

  private async one(actor: Actor, user: User): Promise<UserDto> {
    return UserDto.from(user, (await this.policy.viewOf(actor))(user));
  }

  private async seenBy(actor: Actor, users: readonly User[]): Promise<UserDto[]> {
    const viewOf = await this.policy.viewOf(actor);
    return users.map((user) => UserDto.from(user, viewOf(user)));
  }
}
