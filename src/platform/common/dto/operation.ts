import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBody,
  type ApiBodyOptions,
  type ApiResponseOptions,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';

/** The body of every error response (docs/contract/conventions.md#errors). */
export class ErrorDto {
  @ApiProperty({
    description: 'Stable key of the error; programs match on it.',
    example: 'api.context.permissions.app_error',
  })
  id: string;
  @ApiProperty({
    description: 'What went wrong, as text.',
    example: 'You do not have the appropriate permissions: manage_webhooks is missing.',
  })
  message: string;
  @ApiProperty({ description: 'More detail; empty unless developer mode is on.', example: '' })
  detailed_error: string;
  @ApiProperty({
    description: 'The id of the request, as in the X-Request-ID header and in the log.',
    example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy',
  })
  request_id: string;
  @ApiProperty({ description: 'The HTTP status.', example: 403 })
  status_code: number;
}

/** The response of operations that return nothing else (docs/contract/conventions.md#status-ok). */
export class StatusOkDto {
  @ApiProperty({ enum: ['OK'], example: 'OK' }) status: 'OK';
}

/** The shared instance of that response. */
export const STATUS_OK: StatusOkDto = { status: 'OK' };

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Bad request: the message names the field.',
  401: 'Unauthorized: there is no session.',
  403: 'Forbidden: a permission is missing.',
  404: 'Not found.',
  409: 'Conflict: the state of the resource does not allow it; the message says why.',
  413: 'The body is larger than the limit.',
  424: 'Failed dependency: receivers do not accept calls; the message says why.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  501: 'The feature is disabled in the settings, or not available.',
  503: 'The database is not available; nothing was stored.',
};

type Shape = Type<unknown> | [Type<unknown>];

/** The response body of an operation: a class, a list as `[Class]`, or a schema. */
export type Answer = Shape | AnswerSchema;

type AnswerSchema = Extract<ApiResponseOptions, { schema: unknown }> & {
  readonly models?: readonly Type<unknown>[];
};

/** The documentation of an operation. */
export interface OperationOptions {
  readonly summary: string;
  readonly description?: string;
  readonly ok?: Answer;
  readonly created?: Answer;
  /** Examples of the body, or the schema of a body without a request class. */
  readonly body?: ApiBodyOptions;
  /** Errors other than those of access, parameters and body, 413 and 503, which are derived. */
  readonly errors?: readonly number[];
}

/** The documentation of an error status. */
export function errorResponse(status: number) {
  return {
    description: MEANINGS[status] ?? 'Error',
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorDto) } } },
  };
}

/** Documents an operation, and sets its success status. See describeRoutes for access and parameters. */
export const Operation = ({
  summary,
  description,
  ok,
  created,
  body,
  errors = [],
}: OperationOptions): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary, ...(description && { description }) }),
    ...errors.map((status) => ApiResponse({ status, ...errorResponse(status) })),
    ...(ok ? answerWith(200, ok) : []),
    ...(created ? answerWith(201, created) : []),
    ...(body ? [ApiBody(body)] : []),
  );

/** A response with one of several shapes. */
export function oneOf(shapes: readonly Shape[], description?: string): Answer {
  return {
    ...(description && { description }),
    models: shapes.flat(),
    schema: {
      oneOf: shapes.map((shape) =>
        Array.isArray(shape)
          ? { type: 'array', items: { $ref: getSchemaPath(shape[0]) } }
          : { $ref: getSchemaPath(shape) },
      ),
    },
  };
}

function answerWith(status: number, answer: Answer): MethodDecorator[] {
  if (!('schema' in answer)) return [HttpCode(status), ApiResponse({ status, type: answer })];
  const { models = [], ...response } = answer;
  return [HttpCode(status), ApiExtraModels(...models), ApiResponse({ status, ...response })];
}
