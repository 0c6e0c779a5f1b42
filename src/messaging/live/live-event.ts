import { ApiProperty } from '@nestjs/swagger';
import type { AppError } from '../../platform/common/errors/app-error.js';
import { errorBody } from '../../platform/common/http/responses.js';

export type LiveData = Readonly<Record<string, unknown>>;

/** Who receives an event (docs/contract/messaging.md#live-audience). With no field set: every signed-in connection. */
export interface Broadcast {
  /** Only this user. Channel and team are still sent, but do not restrict the receivers. */
  readonly userId?: string;
  /** Only users who are members of the channel at delivery and may see it. */
  readonly channelId?: string;
  /** Only those members who may read its posts. */
  readonly isContent?: boolean;
  /** Only users who are members of the team at delivery and may view it. */
  readonly teamId?: string;
  /** The public channel of that team that the event is about; only users who may see it receive the event. */
  readonly openChannelId?: string;
  readonly omitUsers?: readonly string[];
  /** Only system administrators, or everyone else. */
  readonly split?: 'admins' | 'others';
}

/** A user who receives an event. */
export interface Receiver {
  readonly id: string;
  readonly username: string;
  /** False if the user has switched off notifications for `@channel`, `@all` and `@here`. */
  readonly takesChannelMentions: boolean;
}

/** An event to publish. */
export interface LiveEvent {
  readonly event: string;
  /** The receivers, or a function that is called when the event is delivered. */
  readonly broadcast: Broadcast | (() => Promise<Broadcast>);
  /** The data, or a function called once if the event has receivers; null drops the event. */
  readonly data: LiveData | (() => LiveData | null | Promise<LiveData | null>);
  /** Additional keys for one receiver; called after `data`. */
  readonly personal?: (receiver: Receiver) => LiveData | undefined;
}

/** Events that are dropped for slow clients (docs/contract/messaging.md#live-audience). */
export const DROPPABLE_EVENTS: ReadonlySet<string> = new Set([
  'typing',
  'status_change',
  'multiple_channels_viewed',
]);

/** The audience of an event; empty means unrestricted. */
class BroadcastDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    nullable: true,
    example: null,
    description: 'Users who do not receive it.',
  })
  omit_users: Record<string, boolean> | null;
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ example: '' }) channel_id: string;
  @ApiProperty({ example: '' }) team_id: string;
  @ApiProperty({ example: '' }) connection_id: string;
  @ApiProperty({ example: '' }) omit_connection_id: string;
}

/** An event as clients receive it; only described here, since frames are written as text. */
export class LiveEventDto {
  @ApiProperty({ example: 'hello', description: 'The kind of event, such as `posted` or `user_added`.' })
  event: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { server_version: '11.6.0.11.6.0.hookline.false', connection_id: 'b1f8zcm5wtd5jfzn8u5fxpbkje' },
  })
  data: Record<string, unknown>;
  @ApiProperty() broadcast: BroadcastDto;
  @ApiProperty({ example: 0, description: 'Number of the event on the connection, from 0 and without gaps.' })
  seq: number;
}

/** Counts frames per time window. */
export class FrameWindow {
  private endsAt = 0;
  private count = 0;

  constructor(private readonly lengthMs: number) {}

  /** Counts frames and returns the total in the current window. */
  add(now: number, frames = 1): number {
    if (now > this.endsAt) {
      this.endsAt = now + this.lengthMs;
      this.count = 0;
    }
    this.count += frames;
    return this.count;
  }
}

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
  readonly start: Buffer;
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

  end(seq: number): string {
    return `${seq}}`.padStart(END_LENGTH);
  }
}

/** An event as JSON up to its number, serialized once even if some receivers get more keys. */
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

export function okReply(seq: number, data?: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ status: 'OK', ...(data ? { data } : {}), ...seqReply(seq) });
}

/** The reply to a failed request; omits a `seq` of 0. */
export function failReply(seq: number, error: AppError, developerMode: boolean): string {
  const { request_id: _, ...body } = errorBody(error, '', developerMode);
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
