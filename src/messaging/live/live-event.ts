import { ApiProperty } from '@nestjs/swagger';

/** The data of an event, with the contract's keys. */
export type LiveData = Readonly<Record<string, unknown>>;

/** Who receives an event (docs/contract/messaging.md#live-audience). With no field set: every signed-in connection. */
export interface Broadcast {
  /** Only this user. Channel and team are then sent along, but do not restrict the receivers. */
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
  /** The user that the event is about: guests receive it only if they share a channel with them. */
  readonly aboutUserId?: string;
  /** The channels of that user, if they differ from those at delivery. */
  readonly subjectChannelIds?: ReadonlySet<string>;
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
    description: 'Users who do not get it.',
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
  @ApiProperty({ example: 'hello', description: 'What happened, such as `posted` or `user_added`.' })
  event: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { server_version: '11.6.0.11.6.0.hookline.false', connection_id: 'b1f8zcm5wtd5jfzn8u5fxpbkje' },
  })
  data: Record<string, unknown>;
  @ApiProperty() broadcast: BroadcastDto;
  @ApiProperty({ example: 0, description: 'Counts the events of the connection, from 0 and without gaps.' })
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
