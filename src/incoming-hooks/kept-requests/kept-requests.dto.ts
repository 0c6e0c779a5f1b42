import { ApiProperty } from '@nestjs/swagger';
import type { KeptRequest } from './kept-request.entity.js';
import type { RefusingHook } from './kept-requests.repository.js';

/** A kept call without its content (docs/contract/incoming-webhooks.md#kept-calls). */
export class KeptRequestDto {
  @ApiProperty({
    description: 'The id of the request, as in the X-Request-ID header of its response.',
    example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy',
  })
  id: string;
  @ApiProperty({ example: 1764633600000 }) create_at: number;
  @ApiProperty({ type: 'integer', description: 'The HTTP status of the response.', example: 400 })
  status: number;
  @ApiProperty({
    description: 'The reason of a refusal: the inner id of the error. Empty if it was posted.',
    example: 'model.incoming_hook.parse_data.app_error',
  })
  error_id: string;
  @ApiProperty({
    description: 'The message of the error.',
    example: 'Invalid webhook payload: text must be a string.',
  })
  message: string;
  @ApiProperty({ type: 'integer', description: 'Size of the body in bytes.', example: 512 })
  body_size: number;
  @ApiProperty({ description: 'The body was truncated, so the call cannot be repeated.', example: false })
  is_cut: boolean;
  @ApiProperty({ type: 'integer', description: 'The unsupported blocks.', example: 0 })
  not_understood: number;

  static from(request: KeptRequest): KeptRequestDto {
    return {
      id: request.id,
      create_at: request.createAt,
      status: request.status,
      error_id: request.errorId,
      message: request.message,
      body_size: request.bodySize,
      is_cut: request.isCut,
      not_understood: request.notUnderstood,
    };
  }
}

/** A kept call with its content (docs/contract/incoming-webhooks.md#kept-calls). */
export class KeptRequestDetailDto extends KeptRequestDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The headers by lower-case name, without those that may contain secrets.',
    example: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
  })
  headers: Readonly<Record<string, string>>;
  @ApiProperty({ description: 'The query parameter `payload`.', example: '' }) query_payload: string;
  @ApiProperty({ description: 'At most 64 KiB of the body.', example: '{"text":5}' }) body: string;
  @ApiProperty({
    enum: ['utf8', 'base64'],
    description: 'The encoding of `body`: unchanged, or base64 if it is not plain text.',
    example: 'utf8',
  })
  body_encoding: 'utf8' | 'base64';
  @ApiProperty({ type: [String], description: 'The resulting posts.', example: [] })
  post_ids: readonly string[];

  static override from(request: KeptRequest): KeptRequestDetailDto {
    const { headers, queryPayload, body, encoding, postIds } = request.content;
    return {
      ...KeptRequestDto.from(request),
      headers,
      query_payload: queryPayload,
      body,
      body_encoding: encoding,
      post_ids: postIds,
    };
  }
}

/** A webhook that recently rejected calls (docs/contract/incoming-webhooks.md#kept-calls). */
export class RefusingHookDto {
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ example: 'm4agnt8dxtywdgcmo9nwx5kk8w' }) team_id: string;
  @ApiProperty({ example: 'Build server' }) display_name: string;
  @ApiProperty({ description: 'Number of its kept calls.', example: 3 }) refused_count: number;
  @ApiProperty({ description: 'Time of the last one.', example: 1764633600000 }) last_refused_at: number;
  @ApiProperty({ description: 'The HTTP status of its response.', example: 400 }) last_status: number;
  @ApiProperty({ example: 'Invalid webhook payload: text must be a string.' }) last_message: string;

  static from(hook: RefusingHook): RefusingHookDto {
    return {
      hook_id: hook.hookId,
      team_id: hook.teamId,
      display_name: hook.displayName,
      refused_count: hook.count,
      last_refused_at: hook.last.createAt,
      last_status: hook.last.status,
      last_message: hook.last.message,
    };
  }
}
