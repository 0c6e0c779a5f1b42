import { ApiProperty } from '@nestjs/swagger';
import { OptionalBody } from '../../platform/common/dto/body.pipe.js';
import { BodyName, StringField } from '../../platform/common/dto/fields.js';
import { CallTimingDto } from './delivery.dto.js';

/** The request body of a test call. */
@BodyName('test_delivery')
@OptionalBody()
export class TestDeliveryDto {
  @StringField({
    description: 'One of the webhook’s callback URLs; the first one unless told.',
    example: 'https://ci.example.com/deploy',
  })
  callback_url?: string;
  @StringField({ description: 'The message that is sent; a trigger word unless told.', example: '!deploy' })
  text?: string;
}

/** A signed webhook request. */
export class SentRequestDto {
  @ApiProperty({ enum: ['POST'], example: 'POST' }) method: 'POST';
  @ApiProperty({ example: 'https://ci.example.com/deploy' }) url: string;
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'content-type': 'application/json' },
  })
  headers: Readonly<Record<string, string>>;
  @ApiProperty({ example: '{"token":"…","text":"!deploy"}' }) body: string;
}

class ReceivedReplyDto {
  @ApiProperty({ description: '0 when no reply came.', example: 200 }) status_code: number;
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'content-type': 'application/json' },
  })
  headers: Readonly<Record<string, string>>;
  @ApiProperty({
    description: 'The first 4 KiB, secrets of the webhook replaced.',
    example: '{"text":"Done"}',
  })
  body: string;
  @ApiProperty({ example: 9 }) duration_ms: number;
  @ApiProperty({ description: 'Until the reply began; -1 when none came.', example: 8 })
  first_byte_ms: number;
  @ApiProperty({
    description:
      'Milliseconds; -1 for a step that was not needed, and for all of them when the request could not be sent.',
  })
  timing: CallTimingDto;
  @ApiProperty({ description: 'Empty when a reply came; else how the call failed.', example: '' })
  error: string;
  @ApiProperty({ description: 'What went wrong.', example: '' }) note: string;
}

/** A test call and its reply. Nothing is stored or posted. */
export class TestedDto {
  @ApiProperty({ type: SentRequestDto, nullable: true, description: 'What was sent; null if nothing was.' })
  request: SentRequestDto | null;
  @ApiProperty() response: ReceivedReplyDto;
  @ApiProperty({
    type: [String],
    description: 'As in the answer to a change of the webhook, when the call was refused; else absent.',
    example: ['callback_urls: 10.0.0.5 will not be called; ALLOWED_INTERNAL_HOSTS does not name it'],
    required: false,
  })
  warnings?: readonly string[];
}
