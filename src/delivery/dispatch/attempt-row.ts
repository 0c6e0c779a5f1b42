import type { OutboundReply } from '../outbound/outbound-client.js';
import type { OutboundFailure } from '../outbound/outbound-failure.js';
import type { DeliveryAttempt } from './delivery-attempt.entity.js';
import type { Delivery } from './delivery.entity.js';
import { redact, redactedStart } from './redact.js';

export const MAX_REPLY_BYTES = 4_096;
const MAX_NOTE_LENGTH = 255;

/** The result of a call: a complete reply, or the failure with as much of a reply as was received. */
export interface Answer {
  readonly status: number;
  readonly firstByteMs: number;
  readonly durationMs: number;
  readonly body: Buffer;
  readonly reply: OutboundReply | undefined;
  readonly failure: OutboundFailure | undefined;
  /** A sentence about the result for the delivery log, or empty. */
  readonly note: string;
  /** Must not be stored. */
  readonly secrets: readonly string[];
}

/** The row of an attempt, with the first 4 KiB of the reply, without secrets. */
export function attemptOf(
  delivery: Delivery,
  startAt: number,
  answer: Answer,
  note: string,
): DeliveryAttempt {
  return {
    deliveryId: delivery.id,
    number: delivery.attempts + 1,
    startAt,
    durationMs: Math.round(answer.durationMs),
    firstByteMs: Math.round(answer.firstByteMs),
    statusCode: answer.status,
    errorClass: answer.failure?.errorClass ?? '',
    note: redact(note, answer.secrets).slice(0, MAX_NOTE_LENGTH),
    reply: replyText(answer.body, answer.secrets),
  };
}

/** The row of an attempt that failed before the call; the note says why. */
export function unpreparedAttempt(delivery: Delivery, at: number, note: string): DeliveryAttempt {
  const nothing = { status: 0, firstByteMs: -1, durationMs: 0, body: Buffer.alloc(0) };
  const answer: Answer = { ...nothing, reply: undefined, failure: undefined, note, secrets: [] };
  return { ...attemptOf(delivery, at, answer, note), errorClass: 'unprepared' };
}

/** The first 4 KiB of a reply without secrets, as text that both databases accept: no partial characters and no NUL. */
export function replyText(body: Buffer, secrets: readonly string[]): string {
  const start = redactedStart(body, MAX_REPLY_BYTES, secrets);
  const text = start.toString('utf8').replaceAll('\0', '\uFFFD');
  return body.length > MAX_REPLY_BYTES ? text.replace(/\uFFFD{1,3}$/, '') : text;
}
