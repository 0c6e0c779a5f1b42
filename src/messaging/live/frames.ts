import type { AppError } from '../../platform/common/errors/app-error.js';
import { type ErrorBody, errorBody } from '../../platform/common/http/responses.js';
import type { Broadcast, LiveData } from './live-event.js';

/** A client's request (docs/contract/messaging.md#live-frames). */
export interface ClientFrame {
  readonly action: string;
  readonly seq: number;
  readonly data: Readonly<Record<string, unknown>>;
}

const FINAL_TEXT = 0x81;
/** Longer payloads encode their length in 2 or 8 additional bytes. */
const MAX_SHORT = 125;
const MAX_MEDIUM = 0xff_ff;
/** The digits of the largest number, and the closing brace. */
const END_LENGTH = 17;

/**
 * The WebSocket frames of an event (RFC 6455, 5.2). All have the same length and differ only in the trailing
 * number, so connections share the bytes before it for as long as they are unsent or kept.
 */
export class EventFrames {
  /** Everything up to the number. */
  readonly start: Buffer;
  /** The size of the text in characters. */
  readonly length: number;

  /** @param text JSON up to the number */
  constructor(text: string) {
    const payloadBytes = Buffer.byteLength(text) + END_LENGTH;
    const headBytes = payloadBytes <= MAX_SHORT ? 2 : payloadBytes <= MAX_MEDIUM ? 4 : 10;
    this.length = text.length;
    this.start = Buffer.allocUnsafeSlow(headBytes + payloadBytes - END_LENGTH); // a slice would keep its pool
    this.start.writeUInt8(FINAL_TEXT, 0);
    this.start.writeUInt8(headBytes === 2 ? payloadBytes : headBytes === 4 ? 126 : 127, 1);
    if (headBytes === 4) this.start.writeUInt16BE(payloadBytes, 2);
    else if (headBytes === 10) this.start.writeBigUInt64BE(BigInt(payloadBytes), 2);
    this.start.write(text, headBytes);
  }

  /** The rest of the frame with this number, padded with spaces, which JSON allows. */
  end(seq: number): string {
    return `${seq}}`.padStart(END_LENGTH);
  }
}

/**
 * An event as JSON up to its sequence number, which each connection appends. Serialized once, even if some
 * receivers get additional keys in `data`.
 */
export class EventText {
  private readonly head: string;
  private readonly hasData: boolean;
  private readonly tail: string;
  private readonly whole: EventFrames;

  constructor(event: string, data: LiveData, broadcast: Broadcast) {
    const json = JSON.stringify(data);
    this.head = `{"event":${JSON.stringify(event)},"data":${json.slice(0, -1)}`;
    this.hasData = json !== '{}';
    this.tail = `},"broadcast":${broadcastJson(broadcast)},"seq":`;
    this.whole = new EventFrames(this.head + this.tail);
  }

  /** The frames for a receiver who gets these additional keys. */
  with(personal: LiveData | undefined): EventFrames {
    if (personal === undefined) return this.whole;
    const more = JSON.stringify(personal).slice(1, -1);
    return new EventFrames(`${this.head}${this.hasData && more !== '' ? ',' : ''}${more}${this.tail}`);
  }
}

/** The reply to a successful request. */
export function okReply(seq: number, data?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ status: 'OK', ...(data ? { data } : {}), ...seqReply(seq) });
}

/** The reply to a failed request; omits a `seq` of 0. */
export function failReply(seq: number, error: AppError, developerMode: boolean): string {
  const { request_id: _, ...body }: ErrorBody = errorBody(error, '', developerMode);
  return JSON.stringify({ status: 'FAIL', ...seqReply(seq), error: body });
}

function seqReply(seq: number): { seq_reply?: number } {
  return seq === 0 ? {} : { seq_reply: seq };
}

function broadcastJson({ omitUsers, userId = '', channelId = '', teamId = '', split }: Broadcast): string {
  return JSON.stringify({
    omit_users:
      omitUsers && omitUsers.length > 0 ? Object.fromEntries(omitUsers.map((id) => [id, true])) : null,
    user_id: userId,
    channel_id: channelId,
    team_id: teamId,
    connection_id: '',
    omit_connection_id: '',
    ...(split === 'admins' ? { contains_sensitive_data: true } : {}),
    ...(split === 'others' ? { contains_sanitized_data: true } : {}),
  });
}
