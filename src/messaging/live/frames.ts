import type { AppError } from '../../platform/common/errors/app-error.js';
import { type ErrorBody, errorBody } from '../../platform/common/http/responses.js';
import type { Broadcast, LiveData } from './live-event.js';

/** A client's request (docs/contract/messaging.md#live-frames). */
export interface ClientFrame {
  readonly action: string;
  readonly seq: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * An event as JSON up to its sequence number, which each connection adds. It is serialised once, even if some receivers
 * get more keys in `data`.
 */
export class EventText {
  private readonly head: string;
  private readonly hasData: boolean;
  private readonly tail: string;
  private readonly whole: string;

  constructor(event: string, data: LiveData, broadcast: Broadcast) {
    const json = JSON.stringify(data);
    this.head = `{"event":${JSON.stringify(event)},"data":${json.slice(0, -1)}`;
    this.hasData = json !== '{}';
    this.tail = `},"broadcast":${broadcastJson(broadcast)},"seq":`;
    this.whole = this.head + this.tail;
  }

  /** The text for a receiver who gets these additional keys. */
  with(personal: LiveData | undefined): string {
    if (personal === undefined) return this.whole;
    const more = JSON.stringify(personal).slice(1, -1);
    return `${this.head}${this.hasData && more !== '' ? ',' : ''}${more}${this.tail}`;
  }
}

/** The frame of an event: its text and its number on the connection. */
export const eventFrame = (text: string, seq: number): string => `${text}${seq}}`;

/** The reply to a request that succeeded. */
export function okReply(seq: number, data?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ status: 'OK', ...(data ? { data } : {}), ...seqReply(seq) });
}

/** The reply to a request that failed; a `seq` of 0 is left out. */
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
