import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiExtraModels, ApiHeader, ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation } from '../../platform/common/dto/operation.js';
import { isTruthy, queryText } from '../../platform/common/dto/params.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { Public } from '../../platform/access/access.js';
import { ExecutedDto, PayloadDto } from '../dto/payload.dto.js';
import { HookPoster } from './hook-poster.js';
import { HookIdParam, writeExecuted } from './hook-route.js';

@ApiTags('incoming webhooks')
@Controller('hooks')
export class HookExecutionController {
  constructor(private readonly poster: HookPoster) {}

  @Post(':id')
  @HttpCode(200)
  @Public({ readsSession: false, who: 'none: the id of the webhook is the secret' })
  @Operation({
    summary: 'Post through an incoming webhook',
    description:
      'Posts the payload into the channel of the webhook, or into the one named in `channel`. Returns `ok` as plain text once the post is stored. The `format` of the webhook may require another body, such as that of a program.',
    body: {
      type: PayloadDto,
      examples: {
        text: { summary: 'A text', value: { text: 'Build 812 is green.' } },
        attachment: {
          summary: 'With an attachment and another name',
          value: {
            text: 'Build 812 is green.',
            username: 'build-bot',
            attachments: [{ color: '#36a64f', title: 'Build 812', text: 'All 1,204 tests passed.' }],
          },
        },
        blocks: {
          summary: 'Slack blocks',
          value: { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'Build 812 is *green*.' } }] },
        },
      },
    },
    errors: [403, 404, 422, 501],
  })
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data')
  @ApiExtraModels(ExecutedDto)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'A second call with the same key within 24 hours posts nothing and gets the response of the first.',
  })
  @ApiQuery({
    name: 'wait',
    required: false,
    schema: { type: 'boolean' },
    description: 'Return the ids of the posts as JSON.',
  })
  @ApiOkResponse({
    description: 'Stored.',
    content: {
      'text/plain': { schema: { type: 'string', example: 'ok' } },
      'application/json': { schema: { $ref: '#/components/schemas/ExecutedDto' } },
    },
  })
  async executeIncomingWebhook(
    @HookIdParam() hookId: string,
    @Req() request: HttpRequest,
    @Res() response: Response,
  ): Promise<void> {
    const key = request.headers['idempotency-key'];
    const executed = await this.poster.execute({
      hookId,
      contentType: request.headers['content-type'],
      body: request.body,
      queryPayload: queryText(request, 'payload'),
      idempotencyKey: Array.isArray(key) ? key[0] : key,
      received: request,
    });
    writeExecuted(response, executed, isTruthy(queryText(request, 'wait')));
  }
}
