import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiExtraModels, ApiHeader, ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Operation } from '../../platform/common/dto/operation.js';
import { queryText } from '../../platform/common/dto/params.js';
import { RouteNotFound } from '../../platform/common/errors/common-errors.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { writeJson } from '../../platform/common/http/responses.js';
import { isAlphanumeric } from '../../platform/common/ids.js';
import { Public } from '../../platform/access/access.js';
import { ExecutedDto, PayloadDto } from '../dto/payload.dto.js';
import { HookExecutionService } from './hook-execution.service.js';

@ApiTags('incoming webhooks')
@Controller('hooks')
export class HookExecutionController {
  constructor(private readonly execution: HookExecutionService) {}

  @Post(':id')
  @HttpCode(200)
  @Public({ readsSession: false, who: 'none: the id of the webhook is the secret' })
  @Operation({
    summary: 'Post through an incoming webhook',
    description:
      'Posts the payload into the channel of the webhook, or into the one that `channel` names. Answers `ok` as plain text once the post is stored.',
    body: { type: PayloadDto },
    errors: [403, 404, 501],
  })
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data')
  @ApiExtraModels(ExecutedDto)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'A second call with the same key within 24 hours posts nothing and answers as the first one did.',
  })
  @ApiQuery({
    name: 'wait',
    required: false,
    schema: { type: 'boolean' },
    description: 'Answer with the ids of the posts as JSON.',
  })
  @ApiOkResponse({
    description: 'Stored.',
    content: {
      'text/plain': { schema: { type: 'string', example: 'ok' } },
      'application/json': { schema: { $ref: '#/components/schemas/ExecutedDto' } },
    },
  })
  async executeIncomingWebhook(
    @Param('id') hookId: string,
    @Req() request: HttpRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (!isAlphanumeric(hookId)) throw new RouteNotFound('/hooks/:id');
    const key = request.headers['idempotency-key'];
    const { postIds, isReplay } = await this.execution.execute({
      hookId,
      contentType: request.headers['content-type'],
      body: request.body,
      queryPayload: queryText(request, 'payload'),
      idempotencyKey: Array.isArray(key) ? key[0] : key,
    });
    if (isReplay) response.setHeader('Idempotency-Replayed', 'true');
    if (queryText(request, 'wait') === 'true') {
      return writeJson(response, 200, { status: 'OK', post_ids: postIds } satisfies ExecutedDto);
    }
    response.setHeader('Content-Type', 'text/plain'); // Express's own way would add a charset
    response.setHeader('Content-Length', 2);
    response.end('ok');
  }
}
