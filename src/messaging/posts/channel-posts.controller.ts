import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { UserIdParam } from '../users/user-id-param.js';
import {
  ApiFlag,
  ApiListFlags,
  ApiNumber,
  ApiPostId,
  ChannelPostsQuery,
  UnreadQuery,
} from './dto/list-queries.js';
import { PostDto } from './dto/post.dto.js';
import { PostListDto, PostSearchResultsDto } from './dto/post-list.dto.js';
import { SearchPostsDto } from './dto/write-post.dto.js';
import { type ChannelPostsOptions, PostListsService, type UnreadOptions } from './post-lists.service.js';
import { PostSearchService } from './search/post-search.service.js';
import { DOCS } from './channel-posts.docs.js';

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
  @CheckedByPolicy(
    Permission.ReadChannelContent,
    '`read_channel_content` in the channel, or `read_public_channel` in the team of an open one',
  )
  @Operation(DOCS.getPostsForChannel)
  @ApiNumber('since', 'A time in milliseconds; 1000 posts at most, those that changed first.')
  @ApiPostId('before', 'Only older posts than this one.')
  @ApiPostId('after', 'Only newer posts than this one.')
  @ApiFlag('include_deleted', 'Deleted posts too; for holders of `manage_system`.')
  @ApiListFlags()
  async getPostsForChannel(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The id of the channel.') channelId: string,
    @QueryPage() page: Page,
    @ChannelPostsQuery() query: Omit<ChannelPostsOptions, 'page'>,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.list(actor, channelId, { ...query, page }));
  }

  @Get('channels/:channel_id/pinned')
  @CheckedByPolicy(
    Permission.ReadChannelContent,
    '`read_channel_content` in the channel, or `read_public_channel` in the team of an open one',
  )
  @Operation(DOCS.getPinnedPosts)
  async getPinnedPosts(
    @CurrentActor() actor: Actor,
    @IdParam('channel_id', 'The id of the channel.') channelId: string,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.pinned(actor, channelId));
  }

  @Get('users/:user_id/channels/:channel_id/posts/unread')
  @CheckedByPolicy(
    [Permission.ReadChannelContent, Permission.EditOtherUsers],
    'the user, who must be a member of the channel; others with `edit_other_users`',
  )
  @Operation(DOCS.getPostsAroundLastUnread)
  @ApiNumber('limit_before', 'How many older posts; 60 unless given, 200 at most.')
  @ApiNumber(
    'limit_after',
    'How many posts from the first unread one on; 60 unless given, 200 at most, never 0.',
  )
  @ApiListFlags()
  async getPostsAroundLastUnread(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
    @IdParam('channel_id', 'The id of the channel.') channelId: string,
    @UnreadQuery() options: UnreadOptions,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.unread(actor, userId, channelId, options));
  }

  @Post('teams/:team_id/posts/search')
  @CheckedByPolicy(Permission.ViewTeam, '`view_team` in the team')
  @Operation(DOCS.searchPosts)
  async searchPosts(
    @CurrentActor() actor: Actor,
    @IdParam('team_id', 'The id of the team.') teamId: string,
    @Body() body: SearchPostsDto,
  ): Promise<PostSearchResultsDto> {
    const { list, matches } = await this.search.find(actor, teamId, {
      terms: body.terms ?? '',
      anyWord: body.is_or_search ?? false,
      includeArchived: body.include_deleted_channels ?? false,
      page: body.page ?? 0,
      perPage: body.per_page,
    });
    return PostSearchResultsDto.fromResults(list, matches);
  }
}
