import { Injectable } from '@nestjs/common';
import { DEFAULT_CHANNEL } from '../channels/channel.rules.js';
import type { Channel } from '../channels/channel.entity.js';
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

type Scope = 'team' | 'channel';

interface SystemMessage {
  readonly type: string;
  readonly author: User;
  readonly text: string;
  readonly props?: Record<string, string>;
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
    const { name } = await this.channels.get(channelId);
    await this.postMember(true, name === DEFAULT_CHANNEL ? 'team' : 'channel', channelId, userId, actorId);
  }

  @InTransaction(ChannelMemberRemoved)
  async onMemberRemoved({ channelId, userId, actorId }: ChannelMemberRemoved): Promise<void> {
    await this.postLeft('channel', await this.channels.get(channelId), userId, actorId);
  }

  @InTransaction(TeamMemberRemoved)
  async onTeamMemberRemoved({ teamId, userId, actorId }: TeamMemberRemoved): Promise<void> {
    const channel = await this.channels.findByName(teamId, DEFAULT_CHANNEL);
    if (channel) await this.postLeft('team', channel, userId, actorId);
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

  private async postLeft(scope: Scope, channel: Channel, userId: string, actorId: string): Promise<void> {
    if (await this.channels.isArchived(channel)) return;
    await this.postMember(false, scope, channel.id, userId, actorId);
  }

  private async postMember(
    isAdded: boolean,
    scope: Scope,
    channelId: string,
    userId: string,
    actorId: string,
  ): Promise<void> {
    const user = await this.users.find(userId);
    if (!user) return;
    const actor = actorId === userId ? null : await this.users.find(actorId);
    await this.post(channelId, aboutMember(isAdded, scope, user, actor));
  }

  private async postChanged(channelId: string, actorId: string, type: string, action: string): Promise<void> {
    const author = await this.users.find(actorId);
    if (author) await this.post(channelId, { type, author, text: `${author.username} ${action}` });
  }

  private async post(channelId: string, message: SystemMessage): Promise<void> {
    const { type, author, text, mentionedId } = message;
    const props = { username: author.username, ...message.props };
    const mentions = mentionedId === undefined ? undefined : { userIds: [mentionedId], everyone: false };
    const draft = { channelId, userId: author.id, type, message: text, props, mentions };
    await this.writer.write({ origin: 'system', drafts: [draft] });
  }
}

/** The message about a user who joined or was added, or who left or was removed by the actor. */
function aboutMember(isAdded: boolean, scope: Scope, user: User, actor: User | null): SystemMessage {
  const { id, username } = user;
  if (!actor) {
    const [verb, past] = isAdded ? ['join', 'joined'] : ['leave', 'left'];
    return { type: `system_${verb}_${scope}`, author: user, text: `${username} ${past} the ${scope}.` };
  }
  return isAdded
    ? {
        type: `system_add_to_${scope}`,
        author: actor,
        text: `${username} added to the ${scope} by ${actor.username}.`,
        props: { userId: actor.id, addedUserId: id, addedUsername: username },
        ...(scope === 'channel' ? { mentionedId: id } : {}),
      }
    : {
        type: `system_remove_from_${scope}`,
        author: actor,
        text: `${username} was removed from the ${scope}.`,
        props: { userId: actor.id, removedUserId: id, removedUsername: username },
      };
}
