/** The data of an event, with the contract's keys. */
export type LiveData = Readonly<Record<string, unknown>>;

/** Who receives an event (docs/contract/messaging.md#live-audience). With no field set: every signed-in connection. */
export interface Broadcast {
  /** Only this user. Channel and team are then sent along, but do not restrict the receivers. */
  readonly userId?: string;
  /** Only members of the channel at the time of delivery, who may see it. */
  readonly channelId?: string;
  /** Of those, only the ones who may read its posts. */
  readonly isContent?: boolean;
  /** Only members of the team at the time of delivery, who may view it. */
  readonly teamId?: string;
  /** The public channel of that team that the event is about: only for those who may see it. */
  readonly openChannelId?: string;
  readonly omitUsers?: readonly string[];
  /** Only system administrators, or only everybody else. */
  readonly split?: 'admins' | 'others';
  /** The user that the event is about: guests receive it only if they share a channel with them. */
  readonly aboutUserId?: string;
  /** The channels of that user, if they are not those at the time of delivery. */
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
  /** The data, or a function that is called once if anybody receives the event; null drops the event. */
  readonly data: LiveData | (() => LiveData | null | Promise<LiveData | null>);
  /** Additional keys for one receiver; called after `data`. */
  readonly personal?: (receiver: Receiver) => LiveData | undefined;
}

/** Events that slow clients do not get (docs/contract/messaging.md#live-audience). */
export const DROPPABLE_EVENTS: ReadonlySet<string> = new Set([
  'typing',
  'status_change',
  'multiple_channels_viewed',
]);
