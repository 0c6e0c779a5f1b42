import { ApiProperty } from '@nestjs/swagger';
import { OptionalBody } from '../../platform/common/dto/body.pipe.js';
import { BodyName, StringField } from '../../platform/common/dto/fields.js';
import { CallTimingDto } from './delivery.dto.js';

/** The request body of a test call. */
@BodyName('test_delivery')
@OptionalBody()
export class TestDeliveryDto {
  @StringField({
    description: 'One of the callback URLs of the webhook; by default the first.',
    example: 'https://ci.example.com/deploy',
  })
  callback_url?: string;
  @StringField({ description: 'The message to send; by default a trigger word.', example: '!deploy' })
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
  @ApiProperty({ description: '0 without a reply.', example: 200 }) status_code: number;
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'content-type': 'application/json' },
  })
  headers: Readonly<Record<string, string>>;
  @ApiProperty({
    description: 'The first 4 KiB, with secrets of the webhook redacted.',
    example: '{"text":"Done"}',
  })
  body: string;
  @ApiProperty({ example: 9 }) duration_ms: number;
  @ApiProperty({ description: 'Until the reply started; -1 without a reply.', example: 8 })
  first_byte_ms: number;
  @ApiProperty({
    description: 'Milliseconds; -1 for a skipped step, and for all steps if the request could not be sent.',
  })
  timing: CallTimingDto;
  @ApiProperty({ description: 'Empty after a reply; otherwise how the call failed.', example: '' })
  error: string;
  @ApiProperty({ description: 'The error.', example: '' }) note: string;
}

/** A test call and its reply. Nothing is stored or posted. */
export class TestedDto {
  @ApiProperty({
    type: SentRequestDto,
    nullable: true,
    description: 'The sent request; null if nothing was sent.',
  })
  request: SentRequestDto | null;
  @ApiProperty() response: ReceivedReplyDto;
  @ApiProperty({
    type: [String],
    description:
      'The same as in the response to a change of the webhook, if the call was refused; otherwise absent.',
    example: ['callback_urls: 10.0.0.5 will not be called; ALLOWED_INTERNAL_HOSTS does not contain it'],
    required: false,
  })
  warnings?: readonly string[];
}
