import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** The one shape of every error answer. */
export class ErrorDto {
  @ApiProperty({
    description: 'Stable key of the error; programs match on it.',
    example: 'api.context.permissions.app_error',
  })
  id: string;
  @ApiProperty({
    description: 'What went wrong, for people.',
    example: 'You do not have the appropriate permissions.',
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

/** The plain success answer (docs/contract/conventions.md#status-ok). */
export class StatusOkDto {
  @ApiProperty({ example: 'OK' }) status: 'OK';
}

export const STATUS_OK: StatusOkDto = { status: 'OK' };

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Bad request: the message names the field.',
  401: 'Unauthorized: nobody is signed in.',
  403: 'Forbidden: a permission is missing.',
  404: 'Not found.',
  409: 'Conflict: the state of the resource does not allow it; the message says why.',
  413: 'The body is larger than the limit.',
  429: 'Too many attempts; Retry-After says when to come back.',
  501: 'The feature is switched off in the settings.',
  503: 'The database is not available; nothing was stored.',
};

interface OperationOptions {
  readonly summary: string;
  readonly description?: string;
  /** Who may call it, as one sentence; it is added to the description. */
  readonly permission: string;
  /** Statuses it can answer with besides success; 401 and 503 need not be named for routes that ask for a session. */
  readonly errors: readonly number[];
}

/** What the description of the API says of an error status. */
export function errorResponse(status: number) {
  return {
    description: MEANINGS[status] ?? 'Error',
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorDto) } } },
  };
}

/** Documents an operation: what it does, who may call it, and every error status with the error schema. */
export const Operation = ({ summary, description, permission, errors }: OperationOptions): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary,
      description: [description, `Permission: ${permission}`].filter(Boolean).join('\n\n'),
    }),
    ApiExtraModels(ErrorDto),
    ...[...new Set([...errors, 503])]
      .sort((a, b) => a - b)
      .map((status) => ApiResponse({ status, ...errorResponse(status) })),
  );
