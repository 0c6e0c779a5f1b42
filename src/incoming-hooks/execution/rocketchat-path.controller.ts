import { applyDecorators, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiConsumes,
  ApiExtraModels,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../platform/access/access.js';
import { errorResponse, Operation, type OperationOptions } from '../../platform/common/dto/operation.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { PayloadDto, RocketChatAnswerDto, RocketChatErrorDto } from '../dto/payload.dto.js';
import { IncomingHooksRepository } from '../incoming-hooks.repository.js';
import { HookPoster } from './hook-poster.js';
import { answerRocketChat, CallOptions } from './hook-route.js';

const contentOf = (model: typeof RocketChatAnswerDto | typeof RocketChatErrorDto) => ({
  'application/json': { schema: { $ref: getSchemaPath(model) } },
});
const ERRORS = [400, 401, 403, 404, 422, 429, 501];

/** Documents a call; the summary is that of `POST /hooks/{id}` in other words. */
const Call = (options: OperationOptions): MethodDecorator =>
  applyDecorators(
    HttpCode(200),
    ApiExtraModels(RocketChatAnswerDto, RocketChatErrorDto),
    CallOptions(contentOf(RocketChatAnswerDto)),
    ApiParam({ name: 'id', description: 'The id of the integration of Rocket.Chat.' }),
    ApiParam({ name: 'token', description: 'Its token.' }),
    Operation(options),
    ...ERRORS.map((status) =>
      ApiResponse({ status, ...errorResponse(status), content: contentOf(RocketChatErrorDto) }),
    ),
  );

const WithUser = (): MethodDecorator =>
  ApiParam({ name: 'user', description: 'The id of a user of Rocket.Chat; it has no meaning.' });

const PostCall = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiConsumes('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'),
    Call({
      summary,
      description:
        'The same as `POST /hooks/{id}`, for the webhook whose `rocketchat_path` is `{id}/{token}`.',
      body: {
        type: PayloadDto,
        examples: { text: { summary: 'A text', value: { text: 'Build 812 is green.' } } },
      },
    }),
  );

const GetCall = (summary: string): MethodDecorator =>
  applyDecorators(
    ApiQuery({ name: 'payload', required: false, description: 'The payload as JSON.' }),
    ApiQuery({ name: 'text', required: false, description: 'Fields of the payload are parameters as well.' }),
    Call({ summary, description: 'Posts the payload in the query. Prefer POST: URLs are logged by others.' }),
  );

/** Accepts the calls of senders that had URLs of Rocket.Chat (docs/contract/incoming-webhooks.md#rocketchat-paths). */
@ApiTags('incoming webhooks')
@Controller('hooks/:id')
@Public({ readsSession: false, who: 'none: the token in the path is the secret' })
export class RocketChatPathController {
  constructor(
    private readonly hooks: IncomingHooksRepository,
    private readonly poster: HookPoster,
  ) {}

  @Post(':token')
  @PostCall('Post through an incoming webhook at its path of Rocket.Chat')
  postRocketChatPath(@Req() request: HttpRequest, @Res() response: Response): Promise<void> {
    return answerRocketChat(this.hooks, this.poster, request, response);
  }

  @Post(':user/:token')
  @WithUser()
  @PostCall('Post through an incoming webhook at its path of Rocket.Chat with a user')
  postRocketChatUserPath(@Req() request: HttpRequest, @Res() response: Response): Promise<void> {
    return answerRocketChat(this.hooks, this.poster, request, response);
  }

  @Get(':token')
  @GetCall('Post with GET through an incoming webhook at its path of Rocket.Chat')
  getRocketChatPath(@Req() request: HttpRequest, @Res() response: Response): Promise<void> {
    return answerRocketChat(this.hooks, this.poster, request, response);
  }

  @Get(':user/:token')
  @WithUser()
  @GetCall('Post with GET through an incoming webhook at its path of Rocket.Chat with a user')
  getRocketChatUserPath(@Req() request: HttpRequest, @Res() response: Response): Promise<void> {
    return answerRocketChat(this.hooks, this.poster, request, response);
  }
}
