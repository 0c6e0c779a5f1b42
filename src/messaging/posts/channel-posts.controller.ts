import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission } from '../users/users.permissions.js';
import { UserIdParam } from '../users/user-id-param.js';
import { ChannelPostsQuery, type ListQuery, UnreadQuery } from './dto/list-queries.js';
import { PostDto } from './dto/post.dto.js';
import { PostListDto, PostSearchResultsDto } from './dto/post-list.dto.js';
import { SearchPostsDto } from './dto/write-post.dto.js';
import { PostListsService, type UnreadOptions } from './post-lists.service.js';
import { PostSearchService } from './search/post-search.service.js';
import { DOCS, WHO } from './channel-posts.docs.js';

/** Posts by the channel or the team they are in. */
@ApiTags('posts')
@ApiExtraModels(PostDto)
@Controller()
export class ChannelPostsController {
  constructor(
    private readonly lists: PostListsService,
    private readonly search: PostSearchService,
  ) {}

  @Get('channels/:channel_id/posts')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO.reads)
  @Operation(DOCS.getPostsForChannel)
  async getPostsForChannel(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @QueryPage() page: Page,
    @ChannelPostsQuery() query: ListQuery,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.list(actor, channelId, { ...query, page }));
  }

  @Get('channels/:channel_id/pinned')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO.reads)
  @Operation(DOCS.getPinnedPosts)
  async getPinnedPosts(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.pinned(actor, channelId));
  }

  @Get('users/:user_id/channels/:channel_id/posts/unread')
  @CheckedByPolicy([CommonPermission.ReadChannelContent, UserPermission.EditOtherUsers], WHO.isMember)
  @Operation(DOCS.getPostsAroundLastUnread)
  async getPostsAroundLastUnread(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
    @ChannelIdParam() channelId: string,
    @UnreadQuery() options: UnreadOptions,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.unread(actor, userId, channelId, options));
  }

  @Post('teams/:team_id/posts/search')
  @CheckedByPolicy(CommonPermission.ViewTeam, '`view_team` in the team')
  @Operation(DOCS.searchPosts)
  async searchPosts(
    @CurrentActor() actor: Actor,
    @IdParam('team_id', 'The id of the team.') teamId: string,
    @Body() body: SearchPostsDto,
  ): Promise<PostSearchResultsDto> {
    const { list, matches } = await this.search.find(actor, teamId, body);
    return PostSearchResultsDto.fromResults(list, matches);
  }
}

function ChannelIdParam(): ParameterDecorator {
  return IdParam('channel_id', 'The id of the channel.');
}
