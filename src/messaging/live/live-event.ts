/** The values of an event by the contract's keys. */
export type LiveData = Readonly<Record<string, unknown>>;

/** Who gets an event (docs/contract/messaging.md#live-audience). Nothing set: every signed-in connection. */
export interface Broadcast {
  /** Only this user; channel and team are then told, and not asked. */
  readonly userId?: string;
  /** Only members of the channel, as of the moment of delivery. */
  readonly channelId?: string;
  /** Only members of the team, as of the moment of delivery. */
  readonly teamId?: string;
  readonly omitUsers?: readonly string[];
  /** Only system administrators, or only everybody else. */
  readonly split?: 'admins' | 'others';
  /** Whom it tells of: guests get it only while they share a channel with that user. */
  readonly aboutUserId?: string;
}

/** Somebody who receives an event. */
export interface Receiver {
  readonly id: string;
  readonly username: string;
  /** False when the user does not want to hear of `@channel`, `@all` and `@here`. */
  readonly takesChannelMentions: boolean;
}

/** An event on its way to clients. */
export interface LiveEvent {
  readonly event: string;
  /** Whom it is for, or what finds that out when its turn has come. */
  readonly broadcast: Broadcast | (() => Promise<Broadcast>);
  /** The data, or what builds it. That is called once, and only if somebody receives the event; null drops it. */
  readonly data: LiveData | (() => LiveData | null | Promise<LiveData | null>);
  /** More keys for one receiver; asked after `data` was built. */
  readonly personal?: (receiver: Receiver) => LiveData | undefined;
}

/** What a slow client loses first (docs/contract/messaging.md#live-audience). */
export const DROPPABLE_EVENTS: ReadonlySet<string> = new Set([
  'typing',
  'status_change',
  'multiple_channels_viewed',
]);
