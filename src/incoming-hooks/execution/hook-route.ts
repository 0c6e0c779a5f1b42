import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiQuery,
  ApiResponse,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { errorResponse } from '../../platform/common/dto/operation.js';
import { isTruthy, PathParam, queryText } from '../../platform/common/dto/params.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { RouteNotFound } from '../../platform/common/errors/common-errors.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { writeJson } from '../../platform/common/http/responses.js';
import { isAlphanumeric } from '../../platform/common/ids.js';
import { aliasPathOf } from '../alias-paths.js';
import { ExecutedDto, type RocketChatAnswerDto } from '../dto/payload.dto.js';
import type { IncomingHooksRepository } from '../incoming-hooks.repository.js';
import { queryPayloadOf } from '../payload/rocketchat-payload.js';
import { failures } from './execution.errors.js';
import type { Executed, HookPoster } from './hook-poster.js';

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' as const } });

/** The headers of responses of webhooks with a limit. */
const RATE_HEADERS = {
  'X-RateLimit-Limit': integerHeader('Calls that the webhook accepts in a minute. Absent without a limit.'),
  'X-RateLimit-Remaining': integerHeader('Calls that it still accepts in this minute.'),
  'X-RateLimit-Reset': integerHeader('Seconds until the minute is over.'),
};

/** The webhook ID in the path. Other characters miss the route; an ID of another length is unknown. */
export const HookIdParam = (): ParameterDecorator =>
  PathParam('id', 'The id of the webhook.', (value) => {
    if (isAlphanumeric(value)) return value;
    throw new RouteNotFound('/hooks/:id');
  });

/** Documents the response to a call beyond the limit of its webhook. */
export const ApiRateLimited = (): MethodDecorator =>
  ApiResponse({
    status: 429,
    ...errorResponse(429),
    headers: {
      ...RATE_HEADERS,
      'Retry-After': integerHeader('Seconds until the next call is accepted.'),
    },
  });

/** The responses to posted calls. */
const OK: ApiResponseOptions['content'] = {
  'text/plain': { schema: { type: 'string', example: 'ok' } },
  'application/json': { schema: { $ref: '#/components/schemas/ExecutedDto' } },
};

/** Documents the options and the response of a call. */
export const CallOptions = (content = OK): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ExecutedDto),
    ApiResponse({
      status: 401,
      ...errorResponse(401),
      description: 'The call does not pass the verifier of the webhook; the message says why.',
    }),
    ApiRateLimited(),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'A second call with the same key within 24 hours posts nothing and gets the response of the first.',
    }),
    ApiHeader({
      name: 'Hookline-Key',
      required: false,
      description: 'Like `key` of the payload, which takes precedence.',
    }),
    ApiHeader({
      name: 'Hookline-On-Key',
      required: false,
      description: 'Like `on_key` of the payload, which takes precedence.',
    }),
    ApiQuery({
      name: 'wait',
      required: false,
      schema: { type: 'boolean' },
      description: 'Return the ids of the posts as JSON.',
    }),
    ApiOkResponse({
      description: 'Stored.',
      headers: RATE_HEADERS,
      content,
    }),
  );

/** Posts the payload of a request through a webhook, and responds. Throws ExecutionFailed. */
export async function answerCall(
  poster: HookPoster,
  hookId: string,
  request: HttpRequest,
  response: Response,
): Promise<void> {
  const executed = await executeCall(poster, hookId, request, response);
  if (isTruthy(queryText(request, 'wait'))) return writeJson(response, 200, ExecutedDto.from(executed));
  response.setHeader('Content-Type', 'text/plain'); // Express itself would add a charset
  response.setHeader('Content-Length', 2);
  response.end('ok');
}

/** Like `answerCall`, in the way of Rocket.Chat (docs/contract/incoming-webhooks.md#rocketchat-paths). */
export async function answerRocketChat(
  hooks: IncomingHooksRepository,
  poster: HookPoster,
  request: HttpRequest,
  response: Response,
): Promise<void> {
  const path = aliasPathOf(request.method, request.originalUrl);
  if (path === undefined) throw new RouteNotFound(request.path); // also a HEAD, which must not post
  try {
    const hook = await hooks.findByAlias(path);
    if (!hook) throw failures.unknownRocketChatPath();
    const executed = await executeCall(poster, hook.id, request, response);
    const ids = isTruthy(queryText(request, 'wait')) ? ExecutedDto.from(executed) : {};
    writeJson(response, 200, { success: true, ...ids } satisfies RocketChatAnswerDto);
  } catch (error) {
    if (error instanceof AppError) error.further = { success: false, error: error.message };
    throw error;
  }
}

/** Posts the payload of a request through a webhook, and sets the headers of the response. Throws ExecutionFailed. */
async function executeCall(
  poster: HookPoster,
  hookId: string,
  request: HttpRequest,
  response: Response,
): Promise<Executed> {
  const key = request.headers['idempotency-key'];
  const executed = await poster.execute({
    hookId,
    contentType: request.headers['content-type'],
    body: request.body,
    queryPayload: queryPayloadOf(request),
    headers: request.headers,
    idempotencyKey: Array.isArray(key) ? key[0] : key,
    received: request,
  });
  if (executed.isReplay) response.setHeader('Idempotency-Replayed', 'true');
  for (const [name, value] of Object.entries(executed.rate ?? {})) response.setHeader(name, value);
  return executed;
}
