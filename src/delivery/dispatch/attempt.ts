import { Injectable } from '@nestjs/common';
import { VERSION } from '../../platform/common/version.js';
import { Tracing } from '../../platform/tracing/tracing.js';
import { TracingSettings } from '../../platform/tracing/tracing.settings.js';
import type { OutboundReply } from '../outbound/outbound-client.js';
import {
  NOTHING,
  OUTBOUND_ERROR_CLASSES,
  type OutboundFailure,
  type PartialReply,
} from '../outbound/outbound-failure.js';
import type { AttemptDetail, Delivery, DeliveryAttempt } from './delivery.entity.js';
import { redact, redactedStart, redactWhole } from './redaction.js';

/** The call was not made. */
const UNPREPARED = 'unprepared';
/** How a pulled delivery can fail: refused by its consumer, or not settled or not pulled in time. */
const PULL_ERRORS = ['nacked', 'lease_expired', 'expired'] as const;
/** The error classes of attempts. */
export const ATTEMPT_ERRORS: readonly string[] = [
  ...OUTBOUND_ERROR_CLASSES.filter((name) => name !== 'aborted'),
  UNPREPARED,
  ...PULL_ERRORS,
];
export const MAX_REPLY_BYTES = 4_096;
/** Maximum length of the stored reply headers as JSON. */
export const MAX_HEADER_LENGTH = 2_048;
/** As JSON: `["a",""]`. */
const SHORTEST_HEADER = 8;
const MAX_NOTE_LENGTH = 255;

/** The result of a call: a complete reply, or a failure with the part of the reply that was received. */
export interface Answer extends PartialReply {
  readonly reply: OutboundReply | undefined;
  readonly failure: OutboundFailure | undefined;
  /** A sentence about the result for the delivery log, or an empty string. */
  readonly note: string;
  /** Must not be stored. */
  readonly secrets: readonly string[];
  /** The `traceparent` header of the call; empty if there was none. */
  readonly traceparent: string;
}

/** The row of an attempt, with the first 4 KiB of the reply and secrets redacted. */
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
    detail: detailOf(answer),
  };
}

/** The row of an attempt without a call; `note` says why it failed. */
export function uncalledAttempt(
  delivery: Delivery,
  at: number,
  note: string,
  errorClass: (typeof PULL_ERRORS)[number] | typeof UNPREPARED = UNPREPARED,
  durationMs = 0,
): DeliveryAttempt {
  const nothing = { reply: undefined, failure: undefined, secrets: [], traceparent: '' };
  const answer: Answer = { ...NOTHING, ...nothing, durationMs, note };
  return { ...attemptOf(delivery, at, answer, note), errorClass };
}

function detailOf({ timing, headers, body, reply, secrets, traceparent }: Answer): AttemptDetail {
  return {
    nameMs: Math.round(timing.nameMs),
    connectMs: Math.round(timing.connectMs),
    tlsMs: Math.round(timing.tlsMs),
    sentMs: Math.round(timing.sentMs),
    headers: shownHeaders(headers, secrets, MAX_HEADER_LENGTH),
    replyBytes: body.length,
    isCut: reply?.isCut ?? false,
    version: VERSION,
    traceparent,
    settledBy: '',
  };
}

/** Headers with secrets redacted, as many as fit into the given length of JSON. */
export function shownHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
  maxLength: number,
): Record<string, string> {
  if (fitsUnchanged(headers, secrets, maxLength)) return { ...headers };
  let room = maxLength;
  const shown: [string, string][] = [];
  for (const header of Object.entries(headers)) {
    if (room < SHORTEST_HEADER) break;
    if (header[0].length + header[1].length > room) continue;
    const [name, value] = header.map((text) => redactWhole(text, secrets)) as [string, string];
    const { length } = JSON.stringify([name, value]);
    if (length > room) continue;
    room -= length;
    shown.push([name, value]);
  }
  return Object.fromEntries(shown);
}

/** The usual case: all headers fit and contain no secret. An object is shorter than an array of pairs. */
function fitsUnchanged(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
  maxLength: number,
): boolean {
  const { length } = JSON.stringify(headers);
  const text = Object.entries(headers).flat().join('\n');
  return length + Object.keys(headers).length <= maxLength && redactWhole(text, secrets) === text;
}

/** The first 4 KiB of a reply as text, redacted, without partial characters and NUL (database limits). */
export function replyText(body: Buffer, secrets: readonly string[]): string {
  const start = redactedStart(body, MAX_REPLY_BYTES, secrets);
  const text = start.toString('utf8').replaceAll('\0', '\uFFFD');
  return body.length > MAX_REPLY_BYTES ? text.replace(/\uFFFD{1,3}$/, '') : text;
}

/**
 * Creates a span for each call of a delivery. The first belongs to the trace of the commit that stored its
 * subject, if this process made it; later ones are separate traces with the same delivery id.
 */
@Injectable()
export class AttemptSpans {
  constructor(
    private readonly tracing: Tracing,
    private readonly settings: TracingSettings,
  ) {}

  /**
   * Runs an attempt, and what results from it, such as posting the reply, within a span. `attempt` gets the
   * `traceparent` header of the call, which is empty if none is sent, and a callback for the answer.
   */
  around<T>(
    { id, kind, subjectId, attempts }: Delivery,
    attempt: (traceparent: string, answered: (answer: Pick<Answer, 'status' | 'failure'>) => void) => T,
  ): T {
    if (!this.tracing.isOn) return attempt('', () => undefined);
    const span = this.tracing.start({
      name: 'attempt',
      kind: 'client',
      parent: attempts === 0 ? this.tracing.recall(subjectId) : undefined,
      attributes: {
        'http.request.method': 'POST',
        'hookline.delivery.id': id,
        'hookline.delivery.kind': kind,
        'hookline.delivery.attempt': attempts + 1,
      },
    });
    const traceparent = this.settings.outgoingTraceparent ? span.traceparent : '';
    return this.tracing.within(span.traceparent, () =>
      attempt(traceparent, ({ status, failure }) => {
        if (status > 0) span.set('http.response.status_code', status);
        span.end(failure?.errorClass ?? (status >= 400 ? String(status) : undefined));
      }),
    );
  }
}
