import { ApiProperty } from '@nestjs/swagger';
import type { KeptRequest } from '../kept-request.entity.js';

/** A kept call without its content (docs/contract/incoming-webhooks.md#kept-calls). */
export class KeptRequestDto {
  @ApiProperty({
    description: 'The id of the request, as in the X-Request-ID header of its answer.',
    example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy',
  })
  id: string;
  @ApiProperty({ example: 1764633600000 }) create_at: number;
  @ApiProperty({ type: 'integer', description: 'The HTTP status of the answer.', example: 400 })
  status: number;
  @ApiProperty({
    description: 'Why it was refused: the inner id of the error. Empty when it was posted.',
    example: 'model.incoming_hook.parse_data.app_error',
  })
  error_id: string;
  @ApiProperty({
    description: 'The message of the error.',
    example: 'Invalid webhook payload: text must be a string.',
  })
  message: string;
  @ApiProperty({ type: 'integer', description: 'The bytes of the body.', example: 512 }) body_size: number;
  @ApiProperty({
    description: 'Not the whole body is kept, so the call cannot be repeated.',
    example: false,
  })
  is_cut: boolean;
  @ApiProperty({ type: 'integer', description: 'The blocks that were not understood.', example: 0 })
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
