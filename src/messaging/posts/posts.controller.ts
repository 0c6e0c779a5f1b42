import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryFlag } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, FilteredByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PostPermission, WHO_READS } from './posts.permissions.js';
import { type CreatePostOptions, CreatePostQuery } from './dto/create-post.query.js';
import { ThreadPageQuery } from './dto/list-queries.js';
import { PostIdParam } from './dto/post-id.param.js';
import { PostDto } from './dto/post.dto.js';
import { PostListDto } from './dto/post-list.dto.js';
import { CreatePostDto } from './dto/write-post.dto.js';
import { warnOfDroppedFiles } from './dropped-files.js';
import { PostsService } from './posts.service.js';
import { type ThreadOptions, ThreadsService } from './threads.service.js';

const MAX_IDS = 1000;

/** Makes posts, and reads them by their ids. */
@ApiTags('posts')
@ApiExtraModels(PostDto)
@Controller('posts')
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly threads: ThreadsService,
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
}
