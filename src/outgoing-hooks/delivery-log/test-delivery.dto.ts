import { ApiProperty } from '@nestjs/swagger';
import { OptionalBody } from '../../platform/common/dto/body.pipe.js';
import { BodyName, StringField } from '../../platform/common/dto/fields.js';
import { CallTimingDto } from './delivery.dto.js';
import { idParam, QueryObject, textParam } from '../../platform/common/dto/query-object.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { WANTED_STATUSES, type WantedStatus } from '../../delivery/dispatch/shown-status.js';

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

/** The raw filters of a delivery list; they are validated after the webhook is looked up. */
export interface DeliveriesQuery {
  readonly status: string | undefined;
  readonly since: string | undefined;
  readonly before: string | undefined;
  readonly cursor: string | undefined;
}

/** The latest time that a query accepts. */
export const MAX_TIME = 8_640_000_000_000;
const TIME = { type: 'integer', format: 'int64', minimum: 0, maximum: 9_999_999_999_999 } as const;

/** The parameters common to all delivery lists. */
export const DELIVERIES_QUERY = {
  status: textParam(
    'status',
    'One or more of pending, in_flight, delivered, failed, cancelled, retrying (pending after a failed call); comma-separated.',
  ),
  since: textParam('since', {
    description: 'Created at or after this time; milliseconds since the epoch.',
    schema: TIME,
  }),
  before: textParam('before', {
    description: 'Created before this time; milliseconds since the epoch.',
    schema: TIME,
  }),
  cursor: idParam('cursor', 'The `next_cursor` of the page before.'),
};

/** The query parameters of the delivery log, except the page size. */
export const QueryDeliveries = (): ParameterDecorator => QueryObject<DeliveriesQuery>(DELIVERIES_QUERY);

/** Parses the statuses in a query; an empty list means all. Throws InvalidUrlParam. */
export function statusesOf(text: string | undefined): WantedStatus[] {
  const names = (text ?? '').split(',').filter((name) => name !== '');
  return names.map((name) => {
    const status = WANTED_STATUSES.find((known) => known === name);
    if (!status)
      throw new InvalidUrlParam('status', `it must be one or more of ${WANTED_STATUSES.join(', ')}`);
    return status;
  });
}

/** Parses a time in a query. Throws InvalidUrlParam. */
export function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,13}$/.test(text)) throw new InvalidUrlParam(name, 'it must be milliseconds since the epoch');
  return Math.min(Number(text), MAX_TIME);
}
