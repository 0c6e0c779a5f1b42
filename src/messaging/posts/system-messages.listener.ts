import { Injectable } from '@nestjs/common';
import { DEFAULT_CHANNEL } from '../channels/channel.rules.js';
import { ChannelsService } from '../channels/channels.service.js';
import {
  ChannelArchived,
  ChannelConverted,
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelRestored,
} from '../channels/channels.events.js';
import { InTransaction } from '../../platform/events/listeners.js';
import { TeamMemberRemoved } from '../teams/teams.events.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { PostWriter } from './writer/post-writer.js';

const MADE_PUBLIC =
  'This channel has been converted to a Public Channel and can be joined by any team member.';
const MADE_PRIVATE = 'This channel has been converted to a Private Channel.';

/** A system message and its author. */
interface SystemMessage {
  readonly type: string;
  readonly author: User;
  readonly text: string;
  readonly props?: Record<string, string>;
  /** ID of a user it mentions. */
  readonly mentionedId?: string;
}

/**
 * Posts system messages about changes to a channel and its members in the transaction of the change
 * (docs/contract/messaging.md#system-messages). In the default channel, they announce users who join or leave
 * the team. Channel changes in local mode have no author and get no message.
 */
@Injectable()
export class SystemMessagesListener {
  constructor(
    private readonly writer: PostWriter,
    private readonly channels: ChannelsService,
    private readonly users: UsersService,
  ) {}

  @InTransaction(ChannelMemberAdded)
  async onMemberAdded({ channelId, userId, actorId }: ChannelMemberAdded): Promise<void> {
    const user = await this.users.find(userId);
    if (!user) return;
    const scope = (await this.channels.get(channelId)).name === DEFAULT_CHANNEL ? 'team' : 'channel';
    const actor = await this.otherThan(user, actorId);
    await this.post(channelId, actor ? added(user, actor, scope) : joined(user, scope));
  }

  @InTransaction(ChannelMemberRemoved)
  async onMemberRemoved({ channelId, userId, actorId }: ChannelMemberRemoved): Promise<void> {
    await this.postLeft(channelId, userId, actorId, 'channel');
  }

  @InTransaction(TeamMemberRemoved)
  async onTeamMemberRemoved({ teamId, userId, actorId }: TeamMemberRemoved): Promise<void> {
    const channel = await this.channels.findByName(teamId, DEFAULT_CHANNEL);
    if (channel) await this.postLeft(channel.id, userId, actorId, 'team');
  }

  @InTransaction(ChannelArchived)
  async onArchived({ channelId, actorId }: ChannelArchived): Promise<void> {
    await this.postChanged(channelId, actorId, 'system_channel_deleted', 'archived the channel.');
  }

  @InTransaction(ChannelRestored)
  async onRestored({ channelId, actorId }: ChannelRestored): Promise<void> {
    await this.postChanged(channelId, actorId, 'system_channel_restored', 'unarchived the channel.');
  }

  @InTransaction(ChannelConverted)
  async onConverted({ channelId, actorId, type }: ChannelConverted): Promise<void> {
    const author = await this.users.find(actorId);
    if (!author) return;
    const text = type === 'O' ? MADE_PUBLIC : MADE_PRIVATE;
    await this.post(channelId, { type: 'system_change_chan_privacy', author, text });
  }

  private async postLeft(
    channelId: string,
    userId: string,
    actorId: string,
    scope: 'team' | 'channel',
  ): Promise<void> {
    const user = await this.users.find(userId);
    if (!user || (await this.channels.isArchived(await this.channels.get(channelId)))) return;
    const actor = await this.otherThan(user, actorId);
    await this.post(channelId, actor ? removed(user, actor, scope) : left(user, scope));
  }

  private async postChanged(channelId: string, actorId: string, type: string, action: string): Promise<void> {
    const author = await this.users.find(actorId);
    if (author) await this.post(channelId, { type, author, text: `${author.username} ${action}` });
  }

  /** Returns the actor, or null if the actor is the user or there is none. */
  private async otherThan(user: User, actorId: string): Promise<User | null> {
    return actorId === user.id ? null : this.users.find(actorId);
  }

  private async post(
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

function joined(author: User, scope: 'team' | 'channel'): SystemMessage {
  return { type: `system_join_${scope}`, author, text: `${author.username} joined the ${scope}.` };
}

function added(user: User, author: User, scope: 'team' | 'channel'): SystemMessage {
  return {
    type: `system_add_to_${scope}`,
    author,
    text: `${user.username} added to the ${scope} by ${author.username}.`,
    props: { userId: author.id, addedUserId: user.id, addedUsername: user.username },
    ...(scope === 'channel' ? { mentionedId: user.id } : {}),
  };
}

function left(author: User, scope: 'team' | 'channel'): SystemMessage {
  return { type: `system_leave_${scope}`, author, text: `${author.username} left the ${scope}.` };
}

function removed(user: User, author: User, scope: 'team' | 'channel'): SystemMessage {
  return {
    type: `system_remove_from_${scope}`,
    author,
    text: `${user.username} was removed from the ${scope}.`,
    props: { userId: author.id, removedUserId: user.id, removedUsername: user.username },
  };
}
