import { Body, Controller, Delete, Get, Post, Put, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { IdParam, QueryFlag, QueryText } from '../../platform/common/dto/params.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { CheckedByPolicy, FilteredByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { Permission } from '../permissions/permission.js';
import { conditional } from '../users/conditional-answer.js';
import {
  ApiDirection,
  ApiFlag,
  ApiListFlags,
  ApiNumber,
  ApiPostId,
  ThreadPageQuery,
} from './dto/list-queries.js';
import { PostDto } from './dto/post.dto.js';
import { PostListDto } from './dto/post-list.dto.js';
import { CreatePostDto, PatchPostDto, UpdatePostDto } from './dto/write-post.dto.js';
import { PostChangesService } from './post-changes.service.js';
import { PostsService } from './posts.service.js';
import { type ThreadOptions, ThreadsService } from './threads.service.js';
import { DOCS } from './posts.docs.js';

const MAX_IDS = 1000;

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
    [Permission.CreatePost, Permission.CreatePostPublic],
    '`create_post` in the channel, or `create_post_public` in the team of an open one',
  )
  @Operation(DOCS.createPost)
  async createPost(
    @CurrentActor() actor: Actor,
    @Body() post: CreatePostDto,
    @QueryText('set_online', {
      description: 'Whether the author counts as online now.',
      schema: { type: 'boolean', default: true },
    })
    setOnline: string | undefined,
  ): Promise<PostDto> {
    return PostDto.from(await this.posts.create(actor, post, { setOnline: !isFalse(setOnline) }));
  }

  @Post('ids')
  @FilteredByPolicy(Permission.ReadChannelContent, '`read_channel_content` in the channel of each post')
  @Operation(DOCS.getPostsByIds)
  async getPostsByIds(
    @CurrentActor() actor: Actor,
    @StringListBody('post_ids', MAX_IDS, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
  ): Promise<PostDto[]> {
    return (await this.posts.listByIds(actor, ids)).map((post) => PostDto.from(post));
  }

  @Get(':post_id')
  @CheckedByPolicy(
    Permission.ReadChannelContent,
    '`read_channel_content` in the channel; `manage_system` for deleted posts',
  )
  @Operation(DOCS.getPost)
  async getPost(
    @CurrentActor() actor: Actor,
    @IdParam('post_id', 'The id of the post.') id: string,
    @QueryFlag('include_deleted', 'Deleted posts too.') includeDeleted: boolean,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PostDto | undefined> {
    return conditional(request, response, PostDto.from(await this.posts.get(actor, id, includeDeleted)));
  }

  @Get(':post_id/thread')
  @CheckedByPolicy(Permission.ReadChannelContent, '`read_channel_content` in the channel')
  @Operation(DOCS.getPostThread)
  @ApiNumber(
    'perPage',
    'Posts per page, 200 at most; 0 or absent: the whole thread, 5000 posts and 16 MiB at most.',
  )
  @ApiPostId('fromPost', 'The last post of the page before; needs `fromCreateAt` or `fromUpdateAt`.')
  @ApiNumber('fromCreateAt', 'Its `create_at`.')
  @ApiNumber('fromUpdateAt', 'Its `update_at`: the thread is read in the order of changes.')
  @ApiFlag('updatesOnly', 'With `fromUpdateAt`: what has changed since then.')
  @ApiDirection()
  @ApiListFlags()
  async getPostThread(
    @CurrentActor() actor: Actor,
    @IdParam('post_id', 'The id of the post.') id: string,
    @ThreadPageQuery() options: ThreadOptions,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.threads.get(actor, id, options));
  }

  @Get(':post_id/edit_history')
  @CheckedByPolicy(Permission.EditPost, 'the author with `edit_post` in the channel')
  @Operation(DOCS.getEditHistoryForPost)
  async getEditHistoryForPost(
    @CurrentActor() actor: Actor,
    @IdParam('post_id', 'The id of the post.') id: string,
  ): Promise<PostDto[]> {
    return (await this.posts.listVersions(actor, id)).map((version) => PostDto.from(version));
  }

  @Put(':post_id')
  @CheckedByPolicy(
    [Permission.EditPost, Permission.EditOthersPosts, Permission.CreatePost],
    '`edit_post` and `create_post` in the channel; `edit_others_posts` for posts of others',
  )
  @Operation(DOCS.updatePost)
  async updatePost(
    @CurrentActor() actor: Actor,
    @IdParam('post_id', 'The id of the post.') id: string,
    @Body() post: UpdatePostDto,
  ): Promise<PostDto> {
    return PostDto.from(await this.changes.update(actor, id, post));
  }

  @Put(':post_id/patch')
  @CheckedByPolicy(
    [Permission.EditPost, Permission.EditOthersPosts, Permission.CreatePost],
    '`edit_post` and `create_post` in the channel; `edit_others_posts` for posts of others',
  )
  @Operation(DOCS.patchPost)
  async patchPost(
    @CurrentActor() actor: Actor,
    @IdParam('post_id', 'The id of the post.') id: string,
    @Body() change: PatchPostDto,
  ): Promise<PostDto> {
    return PostDto.from(await this.changes.patch(actor, id, change));
  }

  @Delete(':post_id')
  @CheckedByPolicy(
    [Permission.DeletePost, Permission.DeleteOthersPosts],
    '`delete_post` in the channel; `delete_others_posts` for posts of others',
  )
  @Operation(DOCS.deletePost)
  async deletePost(
    @CurrentActor() actor: Actor,
    @IdParam('post_id', 'The id of the post.') id: string,
    @QueryFlag('permanent', 'For good; this server does not do that and answers 501.') isPermanent: boolean,
  ): Promise<StatusOkDto> {
    await this.changes.delete(actor, id, isPermanent);
    return STATUS_OK;
  }

  @Post(':post_id/pin')
  @CheckedByPolicy(Permission.ReadChannelContent, '`read_channel_content` in the channel')
  @Operation(DOCS.pinPost)
  async pinPost(
    @CurrentActor() actor: Actor,
    @IdParam('post_id', 'The id of the post.') id: string,
  ): Promise<StatusOkDto> {
    await this.changes.setPinned(actor, id, true);
    return STATUS_OK;
  }

  @Post(':post_id/unpin')
  @CheckedByPolicy(Permission.ReadChannelContent, '`read_channel_content` in the channel')
  @Operation(DOCS.unpinPost)
  async unpinPost(
    @CurrentActor() actor: Actor,
    @IdParam('post_id', 'The id of the post.') id: string,
  ): Promise<StatusOkDto> {
    await this.changes.setPinned(actor, id, false);
    return STATUS_OK;
  }
}

function isFalse(text: string | undefined): boolean {
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text ?? '');
}
