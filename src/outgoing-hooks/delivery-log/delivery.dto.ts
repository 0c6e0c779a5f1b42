import { ApiProperty } from '@nestjs/swagger';
import type { CallTiming } from '../../delivery/outbound/exchange.js';
import {
  SHOWN_STATUSES,
  type ShownDelivery,
  type ShownStatus,
} from '../../delivery/dispatch/shown-status.js';
import type { DeliveryDetail, DeliveryPage, LoggedAttempt } from './delivery-log.service.js';
import type { Delivery, DeliveryAttempt } from '../../delivery/dispatch/delivery.entity.js';
import { sentHeaders } from '../../delivery/outbound/outbound-client.js';
import { newId } from '../../platform/common/ids.js';
import { callHeaders } from '../delivery/call-headers.js';
import { encodePayload } from '../delivery/payload.js';

/** Time spent in each phase of a call before its request was sent. */
export class CallTimingDto {
  @ApiProperty({ description: 'To find the address of the name.', example: 1 }) name_ms: number;
  @ApiProperty({ description: 'To open the connection.', example: 2 }) connect_ms: number;
  @ApiProperty({ description: 'To agree on TLS.', example: 5 }) tls_ms: number;
  @ApiProperty({
    description: 'From the start of the call until the request was sent, all of these included.',
    example: 8,
  })
  sent_ms: number;

  static from({ nameMs, connectMs, tlsMs, sentMs }: CallTiming): CallTimingDto {
    return {
      name_ms: Math.round(nameMs),
      connect_ms: Math.round(connectMs),
      tls_ms: Math.round(tlsMs),
      sent_ms: Math.round(sentMs),
    };
  }
}

/** A delivery to one callback URL, as shown in the API. */
export class DeliveryDto {
  @ApiProperty({ description: 'Also the `webhook-id` of each call.', example: 'fbyn5tc65kkjwa1umsfayxistw' })
  id: string;
  @ApiProperty({ example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) hook_id: string;
  @ApiProperty({ description: 'The message that triggered it.', example: 'x9o7dhmz8f8zzrcsrwh3fpuxbe' })
  post_id: string;
  @ApiProperty({ example: 'https://ci.example.com/deploy' }) callback_url: string;
  @ApiProperty({
    enum: SHOWN_STATUSES,
    description:
      '`in_flight`: its call is being made right now. `pending`: it waits for its first or next attempt.',
    example: 'delivered',
  })
  status: ShownStatus;
  @ApiProperty({
    description:
      'Why it failed (`gone`, `attempts_exhausted`; `unprepared`: this server could not make the call) or was cancelled (`hook_deleted`, `hook_disabled`, `url_disabled`, `url_removed`, `hook_paused`, `switched_off`, `message_limit`), or, whatever its status, `post_deleted`: the message was deleted, and is not sent any more.',
    example: '',
  })
  reason: string;
  @ApiProperty({
    description:
      'With the reason `message_limit`: how many calls of the message were left out, this one being the first.',
    example: 0,
  })
  left_out_calls: number;
  @ApiProperty({ description: 'How many webhooks these calls belong to.', example: 0 })
  left_out_hooks: number;
  @ApiProperty({ description: 'How many attempts there were.', example: 1 }) attempts: number;
  @ApiProperty({
    description: 'When the next one is due, and not before `paused_until`; 0 when none is.',
    example: 0,
  })
  next_attempt_at: number;
  @ApiProperty({
    description:
      'Until when it waits although it is due, because its endpoint could not be reached and is probed; or 0.',
    example: 0,
  })
  paused_until: number;
  @ApiProperty({ description: 'Milliseconds since the epoch.', example: 1764633600000 }) create_at: number;
  @ApiProperty({ description: 'When it was settled; 0 while it is not.', example: 1764633600012 })
  finish_at: number;
  @ApiProperty({ description: 'The HTTP status of the last attempt; 0: none came.', example: 200 })
  last_status_code: number;
  @ApiProperty({ description: 'How the last attempt failed without a reply.', example: '' })
  last_error: string;
  @ApiProperty({ description: 'The post made of the reply.', example: '' }) reply_post_id: string;

  static from({ delivery, status, pausedUntil }: ShownDelivery): DeliveryDto {
    return {
      id: delivery.id,
      hook_id: delivery.ownerId,
      post_id: delivery.subjectId,
      callback_url: delivery.url,
      status,
      reason: delivery.reason,
      left_out_calls: countOf(delivery.body['left_out_calls']),
      left_out_hooks: countOf(delivery.body['left_out_hooks']),
      attempts: delivery.attempts,
      next_attempt_at: delivery.finishAt === 0 ? Math.max(delivery.nextAttemptAt, pausedUntil) : 0,
      paused_until: pausedUntil,
      create_at: delivery.createAt,
      finish_at: delivery.finishAt,
      last_status_code: delivery.lastCode,
      last_error: delivery.lastError,
      reply_post_id: delivery.replyPostId,
    };
  }
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** One page of deliveries, newest first. */
export class DeliveryListDto {
  @ApiProperty({ type: [DeliveryDto] }) deliveries: readonly DeliveryDto[];
  @ApiProperty({
    description: 'Send it as `cursor` to get the next page; empty on the last one.',
    example: 'fbyn5tc65kkjwa1umsfayxistw',
  })
  next_cursor: string;

  static from({ deliveries, nextCursor }: DeliveryPage): DeliveryListDto {
    return {
      deliveries: deliveries.map((delivery) => DeliveryDto.from(delivery)),
      next_cursor: nextCursor,
    };
  }
}

const TIMING =
  'Milliseconds; -1 for a step that was not needed, as with a connection that was open already and for all of them when the request could not be sent.';

/** One call that was made. */
class DeliveryAttemptDto {
  @ApiProperty({ example: 1 }) number: number;
  @ApiProperty({ example: 1764633600002 }) start_at: number;
  @ApiProperty({ example: 9 }) duration_ms: number;
  @ApiProperty({ description: 'Until the reply began; -1 when none came.', example: 8 })
  first_byte_ms: number;
  @ApiProperty({ description: TIMING }) timing: CallTimingDto;
  @ApiProperty({ description: '0 when no reply came.', example: 200 }) status_code: number;
  @ApiProperty({
    description:
      'Empty, `refused_address`, `dns`, `connect`, `tls`, `timeout`, `reset`, `protocol`, `decoding` or `bad_url`.',
    example: '',
  })
  error: string;
  @ApiProperty({
    description: 'What went wrong, or how the reply was handled.',
    example: 'The reply was posted.',
  })
  note: string;
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'The headers that were sent; empty if the request could not be. Left out are the signatures, as the secrets may be others by now, and `connection`; `content-length` for those who may not read the channel, and once the message is deleted.',
    example: {
      host: 'ci.example.com',
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Hookline/0.1.0 (Mattermost-Bot/1.1 compatible)',
      'webhook-id': 'fbyn5tc65kkjwa1umsfayxistw',
      'webhook-timestamp': '1764633600',
      'accept-encoding': 'gzip, deflate, br',
      'content-length': '339',
    },
  })
  request_headers: Readonly<Record<string, string>>;
  @ApiProperty({
    description:
      'The first 4 KiB of the reply, secrets of the webhook replaced; empty for those who may not read the channel.',
    example: '{"text":"Done"}',
  })
  reply: string;
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'The headers of the reply, as many as fit into 2 KiB, secrets of the webhook replaced; empty for those who may not read the channel.',
    example: { 'content-type': 'application/json' },
  })
  reply_headers: Readonly<Record<string, string>>;
  @ApiProperty({
    description: 'How long its body was, decompressed.',
    example: 15,
  })
  reply_bytes: number;
  @ApiProperty({
    description: 'The body was longer than the 1 MiB that is read, and the connection was closed.',
    example: false,
  })
  reply_is_cut: boolean;

  static from({ attempt, requestHeaders }: LoggedAttempt): DeliveryAttemptDto {
    return {
      number: attempt.number,
      start_at: attempt.startAt,
      duration_ms: attempt.durationMs,
      first_byte_ms: attempt.firstByteMs,
      status_code: attempt.statusCode,
      error: attempt.errorClass,
      note: attempt.note,
      reply: attempt.reply,
      timing: CallTimingDto.from(attempt.detail),
      request_headers: requestHeaders,
      reply_headers: attempt.detail.headers,
      reply_bytes: attempt.detail.replyBytes,
      reply_is_cut: attempt.detail.isCut,
    };
  }
}

/** A delivery with all its details. */
export class DeliveryDetailDto extends DeliveryDto {
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: true,
    description:
      'What is sent, without the token; empty for those who may not read the channel, and once the message is deleted.',
    example: { text: '!deploy', trigger_word: '!deploy' },
  })
  payload: Record<string, unknown>;
  @ApiProperty({ example: 'application/json' }) content_type: string;
  @ApiProperty({ type: [DeliveryAttemptDto], description: 'The latest 500, the first of them first.' })
  attempt_list: readonly DeliveryAttemptDto[];

  static override from(detail: DeliveryDetail): DeliveryDetailDto {
    return {
      ...DeliveryDto.from(detail),
      payload: detail.payload,
      content_type: detail.delivery.contentType,
      attempt_list: detail.attempts.map((attempt) => DeliveryAttemptDto.from(attempt)),
    };
  }
}

/** A stand-in for the hook's token; all tokens have the same length. */
const SOME_TOKEN = newId();

/** The size in bytes of a delivery's request body. */
export function bodyBytesOf({ contentType, body }: Pick<Delivery, 'contentType' | 'body'>): number {
  return Buffer.byteLength(encodePayload(contentType, SOME_TOKEN, body));
}

/**
 * Rebuilds the headers of a past attempt with the functions that built them; empty if nothing was sent.
 * Signatures are omitted because the secrets may have changed since.
 */
export function requestHeadersOf(
  { id, url, contentType }: Pick<Delivery, 'id' | 'url' | 'contentType'>,
  { startAt, statusCode, detail }: Pick<DeliveryAttempt, 'startAt' | 'statusCode' | 'detail'>,
  bodyBytes: number | undefined,
): Record<string, string> {
  const { sentMs, traceparent, version } = detail;
  if (sentMs < 0 && statusCode === 0) return {};
  const headers = callHeaders({ id, contentType, version, atMs: startAt });
  return sentHeaders({ url, headers: traceparent ? { ...headers, traceparent } : headers, bodyBytes });
}
