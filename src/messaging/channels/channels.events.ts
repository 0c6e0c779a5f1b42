import type { DomainEvent } from '../../platform/events/event-bus.js';

/** A channel was archived. */
export class ChannelArchived implements DomainEvent {
  readonly name = 'channel.archived';
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
    readonly deleteAt: number,
  ) {}
}

/** An open channel became private, or vice versa. */
export class ChannelConverted implements DomainEvent {
  readonly name = 'channel.converted';
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
    readonly type: string,
  ) {}
}

/** An open or private channel was created. */
export class ChannelCreated implements DomainEvent {
  readonly name = 'channel.created';
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly creatorId: string,
  ) {}
}

/** A user has joined a channel or was added to it. */
export class ChannelMemberAdded implements DomainEvent {
  readonly name = 'channel.member_added';
  constructor(
    readonly channelId: string,
    readonly userId: string,
    readonly actorId: string,
    readonly teamId: string,
  ) {}
}

/** A user has left a channel or was removed from it. */
export class ChannelMemberRemoved implements DomainEvent {
  readonly name = 'channel.member_removed';
  constructor(
    readonly channelId: string,
    readonly userId: string,
    readonly actorId: string,
    readonly teamId: string,
  ) {}
}

/** Roles or settings of a channel member have changed. */
export class ChannelMemberUpdated implements DomainEvent {
  readonly name = 'channel.member_updated';
  constructor(
    readonly channelId: string,
    readonly userId: string,
  ) {}
}

/** An archived channel was restored. */
export class ChannelRestored implements DomainEvent {
  readonly name = 'channel.restored';
  constructor(
    readonly channelId: string,
    readonly teamId: string,
    readonly actorId: string,
  ) {}
}

/** A channel was shared with other servers, or is no longer shared. */
export class ChannelSharingChanged implements DomainEvent {
  readonly name = 'channel.sharing_changed';
  constructor(readonly channelId: string) {}
}

/** Fields of a channel have changed. */
export class ChannelUpdated implements DomainEvent {
  readonly name = 'channel.updated';
  constructor(readonly channelId: string) {}
}

/** A user has viewed channels; view times by channel id, in milliseconds. */
export class ChannelViewed implements DomainEvent {
  readonly name = 'channel.viewed';
  constructor(
    readonly userId: string,
    readonly channelTimes: Readonly<Record<string, number>>,
  ) {}
}

/** A direct channel was created. */
export class DirectChannelCreated implements DomainEvent {
  readonly name = 'channel.direct_created';
  constructor(
    readonly channelId: string,
    readonly creatorId: string,
    readonly teammateId: string,
  ) {}
}

/** A group channel was created. */
export class GroupChannelCreated implements DomainEvent {
  readonly name = 'channel.group_created';
  constructor(
    readonly channelId: string,
    readonly creatorId: string,
    readonly teammateIds: readonly string[],
  ) {}
}

/** The same as `channel.team_channels_left`, with the channels. Only for listeners in the transaction. */
export class ChannelsLeft implements DomainEvent {
  readonly name = 'channel.memberships_ended';
  constructor(
    readonly teamId: string,
    readonly channelIds: readonly string[],
    readonly userId: string,
    readonly actorId: string,
  ) {}
}

/** A user who left a team was removed from all of its channels. */
export class TeamChannelsLeft implements DomainEvent {
  readonly name = 'channel.team_channels_left';
  constructor(
    readonly teamId: string,
    readonly userId: string,
  ) {}
}
