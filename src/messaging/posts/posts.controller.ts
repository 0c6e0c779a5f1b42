import { Body, Controller, Delete, Get, Post, Put, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { StringListBody } from '../../platform/common/dto/body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, FilteredByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PostPermission, WHO_READS } from './posts.policy.js';
import {
  CreatePostDto,
  type CreatePostOptions,
  CreatePostQuery,
  PatchPostDto,
  PostIdParam,
  UpdatePostDto,
} from './dto/write-post.dto.js';
import { type ThreadOptions, ThreadPageQuery } from './dto/list-queries.js';
import { PostDto, PostListDto } from './dto/post.dto.js';
import { warnOfDroppedFiles } from './posts.rules.js';
import { PostsService } from './posts.service.js';
import { ThreadsService } from './threads.service.js';
import { PostChangesService } from './post-changes.service.js';

const MAX_IDS = 1000;

const WHO_EDITS = '`edit_post` and `create_post` in the channel; `edit_others_posts` for posts of others';
const EDITORS = [PostPermission.EditPost, PostPermission.EditOthersPosts, PostPermission.CreatePost];

/** Creates posts and reads them by ID. */
@ApiTags('posts')
@ApiExtraModels(PostDto)
@Controller('posts')
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly threads: ThreadsService,
    private readonly changes: PostChangesService,
  ) {}

  @Post()
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

  @Post('ids')
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
    @StringListBody('post_ids', MAX_IDS, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
  ): Promise<PostDto[]> {
    return (await this.posts.listByIds(actor, ids)).map((post) => PostDto.from(post));
  }

  @Get(':post_id')
  @CheckedByPolicy(
    CommonPermission.ReadChannelContent,
    '`read_channel_content` in the channel; `manage_system` for deleted posts',
  )
  @Operation({
    summary: 'Get a post',
    ok: PostDto,
    errors: [404],
  })
  async getPost(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @QueryFlag('include_deleted', 'Include deleted posts.') includeDeleted: boolean,
  ): Promise<PostDto> {
    return PostDto.from(await this.posts.get(actor, id, includeDeleted));
  }

  @Get(':post_id/thread')
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

  @Get(':post_id/edit_history')
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

  @Put(':post_id')
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

  @Put(':post_id/patch')
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

  @Delete(':post_id')
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

  @Post(':post_id/pin')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({ summary: 'Pin a post to its channel', ok: StatusOkDto })
  async pinPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<StatusOkDto> {
    await this.changes.setPinned(actor, id, true);
    return STATUS_OK;
  }

  @Post(':post_id/unpin')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({ summary: 'Unpin a post', ok: StatusOkDto })
  async unpinPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<StatusOkDto> {
    await this.changes.setPinned(actor, id, false);
    return STATUS_OK;
  }
}
