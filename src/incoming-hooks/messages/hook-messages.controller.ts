import { Controller, Delete, Get, HttpCode, Patch, Req } from '@nestjs/common';
import { ApiConsumes, ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import { PostDto } from '../../messaging/posts/dto/post.dto.js';
import { Public } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import { IdParam, queryText } from '../../platform/common/dto/params.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { ExecutedDto, MessageChangeDto } from '../dto/payload.dto.js';
import { ApiRateLimited, HookIdParam } from '../execution/hook-route.js';
import { decodeWith } from '../execution/hook-poster.js';
import { decodeChange } from '../payload/payload-decoder.js';
import { UsableHooks } from '../execution/usable-hooks.js';
import { HookMessages } from './hook-messages.service.js';

const MessageIdParam = (): ParameterDecorator =>
  IdParam('post_id', 'A post of the message, from the response to `?wait=true`.');

@ApiTags('incoming webhooks')
@Controller('hooks/:id/messages/:post_id')
@Public({ readsSession: false, who: 'none: the id of the webhook is the secret' })
export class HookMessagesController {
  constructor(
    private readonly usable: UsableHooks,
    private readonly messages: HookMessages,
  ) {}

  @Get()
  @Operation({
    summary: 'Get a message of an incoming webhook',
    description: 'Returns the first post of a message that the webhook has posted.',
    ok: PostDto,
    errors: [400, 401, 403, 404, 501],
  })
  @ApiRateLimited()
  async getIncomingWebhookMessage(
    @HookIdParam() hookId: string,
    @MessageIdParam() postId: string,
    @Req() request: HttpRequest,
  ): Promise<PostDto> {
    await this.usable.admit(hookId, request);
    return PostDto.from(await this.messages.get(hookId, postId));
  }

  @Patch()
  @Operation({
    summary: 'Change a message of an incoming webhook',
    description: 'Changes what the payload has; the rest of the message stays.',
    body: { type: MessageChangeDto },
    ok: ExecutedDto,
    errors: [401, 403, 404, 501],
  })
  @ApiRateLimited()
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data')
  async patchIncomingWebhookMessage(
    @HookIdParam() hookId: string,
    @MessageIdParam() postId: string,
    @Req() request: HttpRequest,
  ): Promise<ExecutedDto> {
    await this.usable.admit(hookId, request);
    const change = await decodeWith(decodeChange, {
      contentType: request.headers['content-type'],
      body: request.body,
      queryPayload: queryText(request, 'payload'),
      received: request,
    });
    const postIds = await this.messages.patch(hookId, postId, change);
    return ExecutedDto.from({ postIds, notUnderstood: change.message.notUnderstood ?? 0 });
  }

  @Delete()
  @HttpCode(204)
  @Operation({
    summary: 'Delete a message of an incoming webhook',
    description: 'Deletes all posts of the message. Replies of others stay.',
    errors: [400, 401, 403, 404, 501],
  })
  @ApiRateLimited()
  @ApiNoContentResponse({ description: 'Deleted.' })
  async deleteIncomingWebhookMessage(
    @HookIdParam() hookId: string,
    @MessageIdParam() postId: string,
    @Req() request: HttpRequest,
  ): Promise<void> {
    await this.usable.admit(hookId, request);
    await this.messages.delete(hookId, postId);
  }
}
