import { ApiProperty } from '@nestjs/swagger';
import { OptionalBody } from '../../platform/common/dto/body.pipe.js';
import { BodyName, IntegerField } from '../../platform/common/dto/fields.js';
import type { PreviousUrl } from './previous-url.entity.js';

/** The body for rotating the URL of a webhook (docs/contract/incoming-webhooks.md#rotate-the-url). */
@OptionalBody()
@BodyName('rotation')
export class RotateUrlDto {
  @IntegerField({
    description:
      'How long the previous URLs work, in seconds, at most 2,592,000 (30 days). 0: they stop at once. Absent: `INCOMING_WEBHOOK_URL_OVERLAP`.',
    example: 3600,
  })
  overlap_seconds?: number;
}

/** A previous URL that still works (docs/contract/incoming-webhooks.md#rotate-the-url). */
export class PreviousUrlDto {
  @ApiProperty({
    description: 'The previous id: calls of `/hooks/{id}` still post.',
    example: 'b1f8zcm5wtd5jfzn8u5fxpbkje',
  })
  id: string;
  @ApiProperty({ description: 'The time of the rotation.', example: 1764633600000 }) create_at: number;
  @ApiProperty({ description: 'When it stops working.', example: 1764720000000 }) expires_at: number;
  @ApiProperty({ type: 'integer', description: 'Number of calls since the rotation.', example: 12 })
  uses: number;
  @ApiProperty({ description: 'Time of the last call; 0: never.', example: 1764637200000 })
  last_used: number;

  static from({ id, createAt, expiresAt, uses, lastUsed }: PreviousUrl): PreviousUrlDto {
    return { id, create_at: createAt, expires_at: expiresAt, uses, last_used: lastUsed };
  }
}
