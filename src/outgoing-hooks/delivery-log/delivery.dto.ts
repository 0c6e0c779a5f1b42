import { ApiProperty } from '@nestjs/swagger';
import type { DeliveryAttempt } from '../../delivery/dispatch/delivery.entity.js';
import { POST_DELETED } from '../../delivery/dispatch/delivery.errors.js';
import { HOOK_EVENTS, TRIGGERED } from '../events/hook-events.js';
import type { CallTiming } from '../../delivery/outbound/exchange.js';
import {
  SHOWN_STATUSES,
  type ShownDelivery,
  type ShownStatus,
} from '../../delivery/dispatch/delivery-search.service.js';

/** Time spent in each phase of a call before its request was sent. */
export class CallTimingDto {
  @ApiProperty({ description: 'DNS lookup.', example: 1 }) name_ms: number;
  @ApiProperty({ description: 'Establishing the connection.', example: 2 }) connect_ms: number;
  @ApiProperty({ description: 'TLS handshake.', example: 5 }) tls_ms: number;
  @ApiProperty({
    description: 'From the start of the call until the request was sent, including all of these.',
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
  @ApiProperty({
    description: 'The message that it is about; empty for events about something else.',
    example: 'x9o7dhmz8f8zzrcsrwh3fpuxbe',
  })
  post_id: string;
  @ApiProperty({
    enum: ['', ...HOOK_EVENTS],
    description: 'What happened; empty once the message is deleted.',
    example: TRIGGERED,
  })
  event: string;
  @ApiProperty({ description: '`pull:` if consumers pull it.', example: 'https://ci.example.com/deploy' })
  callback_url: string;
  @ApiProperty({
    enum: SHOWN_STATUSES,
    description:
      '`in_flight`: its call is running, or a consumer has it. `pending`: it waits for its first or next attempt.',
    example: 'delivered',
  })
  status: ShownStatus;
  @ApiProperty({
    description:
      'Why it failed (`gone`, `attempts_exhausted`; `unprepared`: this server could not make the call; `expired`: nobody pulled it in time) or was cancelled (`hook_deleted`, `hook_disabled`, `url_disabled`, `url_removed`, `hook_paused`, `switched_off`, `message_limit`, `skipped`, `hop_limit`: the message is the third reply of webhooks in a row), or, with any status, `disabled_by_receiver`: the reply disabled the URL, or `post_deleted`: the message was deleted and is not sent.',
    example: '',
  })
  reason: string;
  @ApiProperty({
    description:
      'With the reason `message_limit`: number of skipped calls of the message, of which this is the first.',
    example: 0,
  })
  left_out_calls: number;
  @ApiProperty({ description: 'Number of webhooks with skipped calls.', example: 0 }) left_out_hooks: number;
  @ApiProperty({ description: 'Number of attempts.', example: 1 }) attempts: number;
  @ApiProperty({
    description: 'When the next one is due, but not before `paused_until`; 0 if none is.',
    example: 0,
  })
  next_attempt_at: number;
  @ApiProperty({
    description:
      'Until when it waits although it is due, because its endpoint is unreachable and is being probed; otherwise 0.',
    example: 0,
  })
  paused_until: number;
  @ApiProperty({
    description:
      'With `ordering`: the delivery of the same channel that has failed and must be settled first; otherwise empty.',
    example: '',
  })
  blocked_by: string;
  @ApiProperty({ description: 'When that delivery first failed; 0 if there is none.', example: 0 })
  blocked_since: number;
  @ApiProperty({ description: 'Milliseconds since the epoch.', example: 1764633600000 }) create_at: number;
  @ApiProperty({ description: 'When it was settled; 0 before.', example: 1764633600012 }) finish_at: number;
  @ApiProperty({ description: 'The HTTP status of the last attempt; 0 without a response.', example: 200 })
  last_status_code: number;
  @ApiProperty({ description: 'How the last attempt failed without a response.', example: '' })
  last_error: string;
  @ApiProperty({ description: 'The post created from the reply.', example: '' }) reply_post_id: string;

  static from({ delivery, status, pausedUntil, blockedBy }: ShownDelivery): DeliveryDto {
    const block = blockedBy?.id === delivery.id ? undefined : blockedBy;
    const dueAt = Math.max(delivery.nextAttemptAt, pausedUntil, blockedBy?.retryAt ?? delivery.retryAt);
    return {
      id: delivery.id,
      hook_id: delivery.ownerId,
      post_id: postIdOf(delivery),
      event: eventOf(delivery),
      callback_url: delivery.url,
      status,
      reason: delivery.reason,
      left_out_calls: Number(delivery.body['left_out_calls'] ?? 0),
      left_out_hooks: Number(delivery.body['left_out_hooks'] ?? 0),
      attempts: delivery.attempts,
      next_attempt_at: delivery.finishAt === 0 ? dueAt : 0,
      paused_until: pausedUntil,
      blocked_by: block?.id ?? '',
      blocked_since: block?.since ?? 0,
      create_at: delivery.createAt,
      finish_at: delivery.finishAt,
      last_status_code: delivery.lastCode,
      last_error: delivery.lastError,
      reply_post_id: delivery.replyPostId,
    };
  }
}

function eventOf({ body: { event }, reason }: ShownDelivery['delivery']): string {
  if (reason === POST_DELETED) return '';
  return typeof event === 'string' ? event : TRIGGERED;
}

/** Events that outlive a post, or are about something else, have their own subjects. */
function postIdOf({ body, subjectId }: ShownDelivery['delivery']): string {
  const { event, post_id: postId } = body;
  if (event === 'message.deleted' && typeof postId === 'string') return postId;
  const isOther = typeof event === 'string' && /^(?:member|webhook|connection)\./.test(event);
  return isOther ? '' : subjectId;
}

/** One page of deliveries, newest first. */
export class DeliveryListDto {
  @ApiProperty({ type: [DeliveryDto] }) deliveries: readonly DeliveryDto[];
  @ApiProperty({
    description: 'Send it as `cursor` to get the next page; empty on the last one.',
    example: 'fbyn5tc65kkjwa1umsfayxistw',
  })
  next_cursor: string;
}

class PlacedDeliveryDto extends DeliveryDto {
  @ApiProperty({ description: 'The name of the webhook, even of a deleted one.', example: 'Deployments' })
  hook_display_name: string;
  @ApiProperty({ description: 'The team of the webhook.', example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' })
  team_id: string;
  @ApiProperty({ example: 'core' }) team_name: string;
  @ApiProperty({ example: 'Core team' }) team_display_name: string;
}

/** One page of the deliveries of all outgoing webhooks, newest first. */
export class PlacedDeliveryListDto {
  @ApiProperty({ type: [PlacedDeliveryDto] }) deliveries: readonly PlacedDeliveryDto[];
  @ApiProperty({
    description:
      'Send it as `cursor` to get the next page; empty on the last one. A page that is short or empty may not be the last.',
    example: 'fbyn5tc65kkjwa1umsfayxistw',
  })
  next_cursor: string;
}

const TIMING =
  'Milliseconds; -1 for a skipped step, such as connecting on a reused connection, and for all steps if the request could not be sent.';

/** One call that was made. */
export class DeliveryAttemptDto {
  @ApiProperty({ example: 1 }) number: number;
  @ApiProperty({ example: 1764633600002 }) start_at: number;
  @ApiProperty({ example: 9 }) duration_ms: number;
  @ApiProperty({ description: 'Until the reply started; -1 without a reply.', example: 8 })
  first_byte_ms: number;
  @ApiProperty({ description: TIMING }) timing: CallTimingDto;
  @ApiProperty({ description: '0 without a reply.', example: 200 }) status_code: number;
  @ApiProperty({
    description:
      'Empty, `refused_address`, `dns`, `connect`, `tls`, `timeout`, `reset`, `protocol`, `decoding`, `bad_url` or `unprepared`; of a pulled delivery `nacked`, `lease_expired` or `expired`.',
    example: '',
  })
  error: string;
  @ApiProperty({ description: 'The error, or how the reply was handled.', example: 'The reply was posted.' })
  note: string;
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'The sent headers; empty if the request could not be sent. Signatures are omitted, because the secrets may have changed, and so is `connection`; `content-length` is omitted for callers who cannot read the channel, and once the message is deleted.',
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
      'The first 4 KiB of the reply, with secrets of the webhook redacted; empty for callers who cannot read the channel.',
    example: '{"text":"Done"}',
  })
  reply: string;
  @ApiProperty({
    selfRequired: true,
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'The headers of the reply, up to 2 KiB, with secrets of the webhook redacted; empty for callers who cannot read the channel.',
    example: { 'content-type': 'application/json' },
  })
  reply_headers: Readonly<Record<string, string>>;
  @ApiProperty({ description: 'The size of its body, decompressed.', example: 15 }) reply_bytes: number;
  @ApiProperty({
    description: 'The body was longer than 1 MiB, the maximum that is read, and the connection was closed.',
    example: false,
  })
  reply_is_cut: boolean;

  static from(attempt: DeliveryAttempt, requestHeaders: Record<string, string>): DeliveryAttemptDto {
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
      'The payload without the token; empty for callers who cannot read the channel, and once the message is deleted.',
    example: { text: '!deploy', trigger_word: '!deploy' },
  })
  payload: Record<string, unknown>;
  @ApiProperty({ example: 'application/json' }) content_type: string;
  @ApiProperty({ type: [DeliveryAttemptDto], description: 'The latest 500, oldest first.' })
  attempt_list: readonly DeliveryAttemptDto[];
}
