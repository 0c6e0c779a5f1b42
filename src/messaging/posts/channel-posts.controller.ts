import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryId, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users/users.policy.js';
import { UserIdParam } from '../users/user-id-param.js';
import { ChannelPostsQuery, type ListQuery, type UnreadOptions, UnreadQuery } from './dto/list-queries.js';
import { PostDto, PostListDto, PostSearchResultsDto } from './dto/post.dto.js';
import { SearchPostsDto } from './dto/write-post.dto.js';
import { PostListsService } from './post-lists.service.js';
import { PostSearchService } from './search/post-search.service.js';

const WHO_READS =
  '`read_channel_content` in the channel, or `read_public_channel` in the team of an open one';

/** Lists posts by channel, searches a team's posts, and lists the posts a user has saved. */
@ApiTags('posts')
@ApiExtraModels(PostDto)
@Controller()
export class ChannelPostsController {
  constructor(
    private readonly lists: PostListsService,
    private readonly search: PostSearchService,
  ) {}

  @Get('channels/:channel_id/posts')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({
    summary: 'List the posts of a channel, newest first',
    description:
      'Pages, or the posts around another one (`before`, `after`), or all changes `since` a time, including deleted posts. `since` overrides `after`, which overrides `before`. Lists are cut at 10 MiB of posts: `has_next` reports it, and `prev_post_id` and `next_post_id` tell where to continue.',
    ok: PostListDto,
    errors: [404],
  })
  async getPostsForChannel(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
    @QueryPage() page: Page,
    @ChannelPostsQuery() query: ListQuery,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.list(actor, channelId, query, page));
  }

  @Get('channels/:channel_id/pinned')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({
    summary: 'List the pinned posts of a channel, newest first',
    ok: PostListDto,
    errors: [404],
  })
  async getPinnedPosts(
    @CurrentActor() actor: Actor,
    @ChannelIdParam() channelId: string,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.pinned(actor, channelId));
  }

  @Get('users/:user_id/channels/:channel_id/posts/unread')
  @CheckedByPolicy(
    [CommonPermission.ReadChannelContent, UserPermission.EditOtherUsers],
    'the user, who must be a member of the channel; others with `edit_other_users`, unless the target has more permissions',
  )
  @Operation({
    summary: 'List the posts around the first unread one',
    description: 'The newest posts if the member has read all or no posts.',
    ok: PostListDto,
    errors: [404],
  })
  async getPostsAroundLastUnread(
    @CurrentActor() actor: Actor,
    @UserIdParam('user_id') userId: string,
    @ChannelIdParam() channelId: string,
    @UnreadQuery() options: UnreadOptions,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.unread(actor, userId, channelId, options));
  }

  @Get('users/:user_id/posts/flagged')
  @CheckedByPolicy(UserPermission.EditOtherUsers, WHO_ACTS_FOR_USER)
  @Operation({
    summary: 'List the saved posts of a user, newest first',
    description:
      'Clients save a post with the preference `flagged_post`, whose name is the id of the post and whose value is `true`. Posts of channels that the user is not in are omitted.',
    ok: PostListDto,
  })
  async getFlaggedPostsForUser(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @QueryPage() page: Page,
    @QueryId('channel_id', 'Only those of this channel.') channelId = '',
    @QueryId('team_id', 'Only those of this team, and of direct and group channels.') teamId = '',
  ): Promise<PostListDto> {
    return PostListDto.from(await this.lists.flagged(actor, userId, { channelId, teamId }, page));
  }

  @Post('teams/:team_id/posts/search')
  @CheckedByPolicy(CommonPermission.ViewTeam, '`view_team` in the team')
  @Operation({
    summary: 'Search the posts of a team',
    description:
      "Searches the caller's own channels, including direct ones: the newest 10,000 posts of each, and 100,000 posts or 400 MB in total, most recently used channels first. All words must match, unless `is_or_search`.",
    ok: PostSearchResultsDto,
    errors: [404],
  })
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
