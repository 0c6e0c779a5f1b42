import { ApiProperty } from '@nestjs/swagger';
import { OptionalBody } from '../../platform/common/dto/body.pipe.js';
import { IntegerField, ObjectField, StringField, StringListField } from '../../platform/common/dto/fields.js';
import type { JsonObject } from '../../platform/common/json.js';
import type { PulledDelivery } from '../../delivery/dispatch/pull/pulled-deliveries.service.js';

const LEASE_ID = 'q8r4xk3nybgd9p1fz6jw5mtc7e';
const LEASE_IDS = { required: true, description: '1 to 100 leases.', example: [LEASE_ID] };

/** The request for deliveries (docs/contract/outgoing-webhooks.md#pull). */
@OptionalBody()
export class PullDto {
  @IntegerField({ description: 'How many at most: 1 to 100.', default: 10 }) limit = 10;
  @StringField({ description: 'How long to wait if there is none, up to 60s.', default: '0s' }) wait = '0s';
  @StringField({ description: 'How long each lease lasts: 1s to 1h.', default: '30s' }) lease = '30s';
}

/** Leases to settle as delivered. */
export class AckDto {
  @StringListField(LEASE_IDS) lease_ids: string[];
  @ObjectField({
    description:
      'Replies by lease, handled like those of a callback URL: `content_type` (by default `application/json`) and `body`.',
    example: { [LEASE_ID]: { content_type: 'application/json', body: '{"text":"Done"}' } },
  })
  replies: JsonObject = {};
}

/** Leases whose deliveries were not accepted. */
export class NackDto {
  @StringField({
    description: 'When the deliveries are due again, up to 24h, instead of the delay of the schedule.',
    example: '30s',
  })
  delay?: string;
  @StringListField(LEASE_IDS) lease_ids: string[];
}

/** A delivery with its lease. */
export class PulledDeliveryDto {
  @ApiProperty({ example: 'fbyn5tc65kkjwa1umsfayxistw' }) id: string;
  @ApiProperty({ description: 'Settles the delivery.', example: LEASE_ID }) lease_id: string;
  @ApiProperty({ description: 'Until when, in milliseconds since the epoch.', example: 1764633630000 })
  lease_until: number;
  @ApiProperty({ description: 'The number of this attempt.', example: 1 }) attempt: number;
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Those of a call, signed, without secret headers and authentication.',
    example: { 'content-type': 'application/json', 'webhook-id': 'fbyn5tc65kkjwa1umsfayxistw' },
  })
  headers: Readonly<Record<string, string>>;
  @ApiProperty({ description: 'The body of a call.', example: '{"token":"…","text":"!deploy"}' })
  body: string;

  static from({ delivery, lease, call }: PulledDelivery): PulledDeliveryDto {
    return {
      id: delivery.id,
      lease_id: lease.id,
      lease_until: lease.until,
      attempt: delivery.attempts + 1,
      headers: call.headers,
      body: call.body,
    };
  }
}

/** The leased deliveries; none if there is nothing to do. */
export class PulledDeliveriesDto {
  @ApiProperty({ type: [PulledDeliveryDto] }) deliveries: readonly PulledDeliveryDto[];
}

/** The leases that were settled, and those that were not. */
export class SettledLeasesDto {
  @ApiProperty({ type: [String], example: [LEASE_ID] }) settled: readonly string[];
  @ApiProperty({
    type: [String],
    description: 'Unknown, lost to another consumer, or already settled.',
    example: [],
  })
  expired: readonly string[];
}
