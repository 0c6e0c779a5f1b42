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
import { ThreadPageQuery } from './dto/list-queries.js';
import { PostDto, PostListDto } from './dto/post.dto.js';
import { warnOfDroppedFiles } from './posts.rules.js';
import { PostsService } from './posts.service.js';
import { type ThreadOptions, ThreadsService } from './threads.service.js';
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
    description: 'A post with a `root_id` is a reply. Posts of people can trigger outgoing webhooks.',
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
    summary: 'Read posts by their ids',
    description:
      'Newest first, 1000 ids at most, and 10 MiB of posts; those that do not exist or that the caller may not read are left out.',
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
    summary: 'Read a post',
    ok: PostDto,
    errors: [404],
  })
  async getPost(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @QueryFlag('include_deleted', 'Deleted posts too.') includeDeleted: boolean,
  ): Promise<PostDto> {
    return PostDto.from(await this.posts.get(actor, id, includeDeleted));
  }

  @Get(':post_id/thread')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({
    summary: 'Read a thread',
    description:
      'The post asked for comes first, then the others of its thread, newest first unless `direction` is `down`.',
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
    summary: 'Read the earlier versions of a post',
    description:
      'Latest first, 200 versions and 10 MiB at most. A post that was never edited has none, which is a 404.',
    ok: [PostDto],
    errors: [404],
  })
  async getEditHistoryForPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<PostDto[]> {
    return (await this.posts.listVersions(actor, id)).map((version) => PostDto.from(version));
  }

  @Put(':post_id')
  @CheckedByPolicy(EDITORS, WHO_EDITS)
  @Operation({
    summary: 'Change a post',
    description:
      'An absent message becomes empty and an absent `is_pinned` false; absent props stay. The old version is kept.',
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
    description: 'What is absent stays. The old version is kept.',
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
    description: 'The first post of a thread takes its replies with it.',
    ok: StatusOkDto,
    errors: [404, 501],
  })
  async deletePost(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @QueryFlag('permanent', 'For good; this server does not do that and answers 501.') isPermanent: boolean,
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
