import { Body, Controller, Delete, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { QueryFlag } from '../../platform/common/dto/params.js';
import { CheckedByPolicy } from '../../platform/access/access.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PostPermission, WHO_READS } from './posts.permissions.js';
import { PostIdParam } from './dto/post-id.param.js';
import { PostDto } from './dto/post.dto.js';
import { PatchPostDto, UpdatePostDto } from './dto/write-post.dto.js';
import { PostChangesService } from './post-changes.service.js';

const WHO_EDITS = '`edit_post` and `create_post` in the channel; `edit_others_posts` for posts of others';
const EDITORS = [PostPermission.EditPost, PostPermission.EditOthersPosts, PostPermission.CreatePost];

/** Changes posts that exist. */
@ApiTags('posts')
@Controller('posts/:post_id')
export class PostChangesController {
  constructor(private readonly changes: PostChangesService) {}

  @Put()
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

  @Put('patch')
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

  @Delete()
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

  @Post('pin')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({ summary: 'Pin a post to its channel', ok: StatusOkDto })
  async pinPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<StatusOkDto> {
    await this.changes.setPinned(actor, id, true);
    return STATUS_OK;
  }

  @Post('unpin')
  @CheckedByPolicy(CommonPermission.ReadChannelContent, WHO_READS)
  @Operation({ summary: 'Unpin a post', ok: StatusOkDto })
  async unpinPost(@CurrentActor() actor: Actor, @PostIdParam() id: string): Promise<StatusOkDto> {
    await this.changes.setPinned(actor, id, false);
    return STATUS_OK;
  }
}
