import { Injectable } from '@nestjs/common';
import { DEFAULT_CHANNEL } from '../channels/channel.rules.js';
import { ChannelRecords } from '../channels/channel-records.js';
import { ChannelArchived } from '../channels/events/channel-archived.event.js';
import { ChannelConverted } from '../channels/events/channel-converted.event.js';
import { ChannelMemberAdded } from '../channels/events/channel-member-added.event.js';
import { ChannelMemberRemoved } from '../channels/events/channel-member-removed.event.js';
import { ChannelRestored } from '../channels/events/channel-restored.event.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { TeamMemberRemoved } from '../teams/events/team-member-removed.event.js';
import type { User } from '../users/user.entity.js';
import { UserRecords } from '../users/user-records.js';
import { PostWriter } from './writer/post-writer.js';

const MADE_PUBLIC =
  'This channel has been converted to a Public Channel and can be joined by any team member.';
const MADE_PRIVATE = 'This channel has been converted to a Private Channel.';

/** What the server says, and in whose name. */
interface SystemMessage {
  readonly type: string;
  readonly author: User;
  readonly text: string;
  readonly props?: Record<string, string>;
  /** Somebody who is called by it. */
  readonly mentionedId?: string;
}

/**
 * Writes into a channel what happens to it and to its members (docs/contract/messaging.md#system-messages), in the
 * transaction of the change itself. In the default channel, joining and leaving are those of the team. Local mode has
 * no user in whose name to say that a channel changed, and says nothing.
 */
@Injectable()
export class SystemMessagesListener {
  constructor(
    private readonly writer: PostWriter,
    private readonly channels: ChannelRecords,
    private readonly users: UserRecords,
  ) {}

  @InTransaction(ChannelMemberAdded)
  async onMemberAdded({ channelId, userId, actorId }: ChannelMemberAdded): Promise<void> {
    const user = await this.users.find(userId);
    if (!user) return;
    const place = (await this.channels.get(channelId)).name === DEFAULT_CHANNEL ? 'team' : 'channel';
    const actor = await this.otherThan(user, actorId);
    await this.say(channelId, actor ? added(user, actor, place) : joined(user, place));
  }

  @InTransaction(ChannelMemberRemoved)
  async onMemberRemoved({ channelId, userId, actorId }: ChannelMemberRemoved): Promise<void> {
    await this.sayGone(channelId, userId, actorId, 'channel');
  }

  @InTransaction(TeamMemberRemoved)
  async onTeamMemberRemoved({ teamId, userId, actorId }: TeamMemberRemoved): Promise<void> {
    const channel = await this.channels.findByName(teamId, DEFAULT_CHANNEL);
    if (channel) await this.sayGone(channel.id, userId, actorId, 'team');
  }

  @InTransaction(ChannelArchived)
  async onArchived({ channelId, actorId }: ChannelArchived): Promise<void> {
    await this.sayDone(channelId, actorId, 'system_channel_deleted', 'archived the channel.');
  }

  @InTransaction(ChannelRestored)
  async onRestored({ channelId, actorId }: ChannelRestored): Promise<void> {
    await this.sayDone(channelId, actorId, 'system_channel_restored', 'unarchived the channel.');
  }

  @InTransaction(ChannelConverted)
  async onConverted({ channelId, actorId, type }: ChannelConverted): Promise<void> {
    const author = await this.users.find(actorId);
    if (!author) return;
    const text = type === 'O' ? MADE_PUBLIC : MADE_PRIVATE;
    await this.say(channelId, { type: 'system_change_chan_privacy', author, text });
  }

  private async sayGone(
    channelId: string,
    userId: string,
    actorId: string,
    place: 'team' | 'channel',
  ): Promise<void> {
    const user = await this.users.find(userId);
    if (!user) return;
    const actor = await this.otherThan(user, actorId);
    await this.say(channelId, actor ? removed(user, actor, place) : left(user, place));
  }

  private async sayDone(channelId: string, actorId: string, type: string, deed: string): Promise<void> {
    const author = await this.users.find(actorId);
    if (author) await this.say(channelId, { type, author, text: `${author.username} ${deed}` });
  }

  /** Who did it, if it was not the user. */
  private async otherThan(user: User, actorId: string): Promise<User | null> {
    return actorId === user.id ? null : this.users.find(actorId);
  }

  private async say(
    channelId: string,
    { type, author, text, props, mentionedId }: SystemMessage,
  ): Promise<void> {
    await this.writer.write({
      origin: 'system',
      drafts: [
        {
          channelId,
          userId: author.id,
          type,
          message: text,
          props: { username: author.username, ...props },
          ...(mentionedId === undefined ? {} : { mentions: { userIds: [mentionedId], everyone: false } }),
        },
      ],
    });
  }
}

function joined(author: User, place: 'team' | 'channel'): SystemMessage {
  return { type: `system_join_${place}`, author, text: `${author.username} joined the ${place}.` };
}

function added(user: User, author: User, place: 'team' | 'channel'): SystemMessage {
  return {
    type: `system_add_to_${place}`,
    author,
    text: `${user.username} added to the ${place} by ${author.username}.`,
    props: { userId: author.id, addedUserId: user.id, addedUsername: user.username },
    ...(place === 'channel' ? { mentionedId: user.id } : {}),
  };
}

function left(author: User, place: 'team' | 'channel'): SystemMessage {
  return { type: `system_leave_${place}`, author, text: `${author.username} left the ${place}.` };
}

function removed(user: User, author: User, place: 'team' | 'channel'): SystemMessage {
  return {
    type: `system_remove_from_${place}`,
    author,
    text: `${user.username} was removed from the ${place}.`,
    props: { userId: author.id, removedUserId: user.id, removedUsername: user.username },
  };
}
