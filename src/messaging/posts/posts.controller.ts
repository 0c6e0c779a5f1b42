import { Body, Controller, Delete, Get, Post, Put, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { StringListBody } from '../../platform/common/dto/body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, type Page, QueryFlag, QueryId, QueryPage } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, FilteredByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission, WHO_ACTS_FOR_USER } from '../users/users.policy.js';
import { UserIdParam } from '../users/user-id-param.js';
import { PostPermission, WHO_READS } from './posts.policy.js';
import {
  CreatePostDto,
  type CreatePostOptions,
  CreatePostQuery,
  PatchPostDto,
  PostIdParam,
  SearchPostsDto,
  UpdatePostDto,
} from './dto/write-post.dto.js';
import {
  ChannelPostsQuery,
  type ListQuery,
  type ThreadOptions,
  ThreadPageQuery,
  type UnreadOptions,
  UnreadQuery,
} from './dto/list-queries.js';
import { PostDto, PostListDto, PostSearchResultsDto } from './dto/post.dto.js';
import { warnOfDroppedFiles } from './posts.rules.js';
import { PostsService } from './posts.service.js';
import { ThreadsService } from './threads.service.js';
import { PostChangesService } from './post-changes.service.js';
import { PostListsService } from './post-lists.service.js';
import { PostSearchService } from './search/post-search.service.js';

const WHO_EDITS = '`edit_post` and `create_post` in the channel; `edit_others_posts` for posts of others';
const EDITORS = [PostPermission.EditPost, PostPermission.EditOthersPosts, PostPermission.CreatePost];

const WHO_READS_CHANNEL =
  '`read_channel_content` in the channel, or `read_public_channel` in the team of an open one';

/** Creates, changes, reads, lists and searches posts. */
@ApiTags('posts')
@ApiExtraModels(PostDto)
@Controller()
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly threads: ThreadsService,
    private readonly changes: PostChangesService,
    private readonly lists: PostListsService,
    private readonly search: PostSearchService,
  ) {}

  @Post('posts')
  @CheckedByPolicy(
    [PostPermission.CreatePost, PostPermission.CreatePostPublic],
    '`create_post` in the channel, or `create_post_public` in the team of an open one',
  )
  @Operation({
    summary: 'Create a post',
    description: 'A post with a `root_id` is a reply. Posts of users can trigger outgoing webhooks.',
    created: PostDto,
    errors: [501],
  })
  async createPost(
    @CurrentActor() actor: Actor,
    @Body() post: CreatePostDto,
    @CreatePostQuery() options: CreatePostOptions,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PostDto> {
    const created = await this.posts.create(actor, post, options);
    warnOfDroppedFiles(response, post);
    return PostDto.from(created);
  }

  @Post('posts/ids')
  @FilteredByPolicy(CommonPermission.ReadChannelContent, '`read_channel_content` in the channel of each post')
  @Operation({
    summary: 'Get posts by id',
    description:
      'Newest first, at most 1000 ids and 10 MiB of posts; unknown and unreadable posts are omitted.',
    ok: [PostDto],
    errors: [404],
  })
  async getPostsByIds(
    @CurrentActor() actor: Actor,
    @StringListBody('post_ids', 1000, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
  ): Promise<PostDto[]> {
    return (await this.posts.listByIds(actor, ids)).map((post) => PostDto.from(post));
  }

  @Get('posts/:post_id')
  @CheckedByPolicy(
    CommonPermission.ReadChannelContent,
    '`read_channel_content` in the channel; `manage_system` for deleted posts',
  )
  @Operation({ summary: 'Get a post', ok: PostDto, errors: [404] })
  async getPost(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @QueryFlag('include_deleted', 'Include deleted posts.') includeDeleted: boolean,
  ): Promise<PostDto> {
    return PostDto.from(await this.posts.get(actor, id, includeDeleted));
  }

  @Get('posts/:post_id/thread')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({
    summary: 'Get a thread',
    description:
      'The requested post is first, then the others of its thread, newest first unless `direction` is `down`.',
    ok: PostListDto,
    errors: [404],
  })
  async getPostThread(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @ThreadPageQuery() options: ThreadOptions,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.threads.get(actor, id, options));
  }

  @Get('posts/:post_id/edit_history')
  @CheckedByPolicy(PostPermission.EditPost, 'the author with `edit_post` in the channel')
  @Operation({
    summary: 'Get the earlier versions of a post',
    description: 'Latest first, at most 200 versions and 10 MiB. A post that was never edited returns 404.',
    ok: [PostDto],
    errors: [404],
  })
  async getEditHistoryForPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<PostDto[]> {
    return (await this.posts.listVersions(actor, id)).map((version) => PostDto.from(version));
  }

  @Put('posts/:post_id')
  @CheckedByPolicy(EDITORS, WHO_EDITS)
  @Operation({
    summary: 'Replace a post',
    description:
      'A missing message becomes empty and a missing `is_pinned` false; missing props do not change. The old version is kept.',
    ok: PostDto,
  })
  async updatePost(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @Body() post: UpdatePostDto,
  ): Promise<PostDto> {
    return PostDto.from(await this.changes.update(actor, id, post));
  }

  @Put('posts/:post_id/patch')
  @CheckedByPolicy(EDITORS, WHO_EDITS)
  @Operation({
    summary: 'Change some fields of a post',
    description: 'Missing fields do not change. The old version is kept.',
    ok: PostDto,
  })
  async patchPost(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @Body() change: PatchPostDto,
  ): Promise<PostDto> {
    return PostDto.from(await this.changes.patch(actor, id, change));
  }

  @Delete('posts/:post_id')
  @CheckedByPolicy(
    [PostPermission.DeletePost, PostPermission.DeleteOthersPosts],
    '`delete_post` in the channel; `delete_others_posts` for posts of others',
  )
  @Operation({
    summary: 'Delete a post',
    description: 'Deleting a root post also deletes its replies.',
    ok: StatusOkDto,
    errors: [404, 501],
  })
  async deletePost(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @QueryFlag('permanent', 'Delete permanently; not supported by this server, which returns 501.')
    isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.changes.delete(actor, id, isPermanent);
    return STATUS_OK;
  }

  @Post('posts/:post_id/pin')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({ summary: 'Pin a post to its channel', ok: StatusOkDto })
  async pinPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<StatusOkDto> {
    await this.changes.setPinned(actor, id, true);
    return STATUS_OK;
  }

  @Post('posts/:post_id/unpin')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({ summary: 'Unpin a post', ok: StatusOkDto })
  async unpinPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<StatusOkDto> {
    await this.changes.setPinned(actor, id, false);
    return STATUS_OK;
  }

  @Get('channels/:channel_id/posts')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS_CHANNEL)
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
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS_CHANNEL)
  @Operation({ summary: 'List the pinned posts of a channel, newest first', ok: PostListDto, errors: [404] })
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
