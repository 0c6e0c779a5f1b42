import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { StringListBody } from '../../platform/common/dto/list-body.pipe.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { QueryFlag } from '../../platform/common/dto/params.js';
import { CheckedByPolicy, FilteredByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PostPermission } from './posts.permissions.js';
import { type CreatePostOptions, CreatePostQuery } from './dto/create-post.query.js';
import { ThreadPageQuery } from './dto/list-queries.js';
import { PostIdParam } from './dto/post-id.param.js';
import { PostDto } from './dto/post.dto.js';
import { PostListDto } from './dto/post-list.dto.js';
import { CreatePostDto } from './dto/write-post.dto.js';
import { DOCS, WHO } from './posts.docs.js';
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
  @CheckedByPolicy([PostPermission.CreatePost, PostPermission.CreatePostPublic], WHO.creates)
  @Operation(DOCS.createPost)
  async createPost(
    @CurrentActor() actor: Actor,
    @Body() post: CreatePostDto,
    @CreatePostQuery() options: CreatePostOptions,
  ): Promise<PostDto> {
    return PostDto.from(await this.posts.create(actor, post, options));
  }

  @Post('ids')
  @FilteredByPolicy(CommonPermission.ReadChannelContent, '`read_channel_content` in the channel of each post')
  @Operation(DOCS.getPostsByIds)
  async getPostsByIds(
    @CurrentActor() actor: Actor,
    @StringListBody('post_ids', MAX_IDS, 'b1f8zcm5wtd5jfzn8u5fxpbkje') ids: string[],
  ): Promise<PostDto[]> {
    return (await this.posts.listByIds(actor, ids)).map((post) => PostDto.from(post));
  }

  @Get(':post_id')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO.readsOne)
  @Operation(DOCS.getPost)
  async getPost(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @QueryFlag('include_deleted', 'Deleted posts too.') includeDeleted: boolean,
  ): Promise<PostDto> {
    return PostDto.from(await this.posts.get(actor, id, includeDeleted));
  }

  @Get(':post_id/thread')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO.reads)
  @Operation(DOCS.getPostThread)
  async getPostThread(
    @CurrentActor() actor: Actor,
    @PostIdParam() id: string,
    @ThreadPageQuery() options: ThreadOptions,
  ): Promise<PostListDto> {
    return PostListDto.from(await this.threads.get(actor, id, options));
  }

  @Get(':post_id/edit_history')
  @CheckedByPolicy(PostPermission.EditPost, 'the author with `edit_post` in the channel')
  @Operation(DOCS.getEditHistoryForPost)
  async getEditHistoryForPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<PostDto[]> {
    return (await this.posts.listVersions(actor, id)).map((version) => PostDto.from(version));
  }
}
