import { Injectable } from '@nestjs/common';
import { OnEverywhere } from '../../../platform/events/listeners.js';
import { ChannelMembersService } from '../../channels/channel-members.service.js';
import {
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelMemberUpdated,
} from '../../channels/channels.events.js';
import { ChannelMemberDto } from '../../channels/dto/channel-member.dto.js';
import { LiveEventsService } from '../live-events.service.js';

/** Sends events about channel members (docs/contract/messaging.md#live-events). */
@Injectable()
export class ChannelMemberEventsListener {
  constructor(
    private readonly live: LiveEventsService,
    private readonly members: ChannelMembersService,
  ) {}

  /** The added user gets their own copy. */
  @OnEverywhere(ChannelMemberAdded)
  onChannelMemberAdded({ channelId, userId, teamId }: ChannelMemberAdded): void {
    const data = { user_id: userId, team_id: teamId };
    this.live.publish({ event: 'user_added', broadcast: { channelId, omitUsers: [userId] }, data });
    this.live.publish({ event: 'user_added', broadcast: { channelId, userId }, data });
  }

  /** To the remaining members, and to the removed user, who is no longer one. */
  @OnEverywhere(ChannelMemberRemoved)
  onChannelMemberRemoved({ channelId, userId, actorId }: ChannelMemberRemoved): void {
    this.live.publish({
      event: 'user_removed',
      broadcast: { channelId, omitUsers: [userId] },
      data: { user_id: userId, remover_id: actorId },
    });
    this.live.publish({
      event: 'user_removed',
      broadcast: { userId },
      data: { channel_id: channelId, remover_id: actorId },
    });
  }

  @OnEverywhere(ChannelMemberUpdated)
  onChannelMemberUpdated({ channelId, userId }: ChannelMemberUpdated): void {
    this.live.publish({
      event: 'channel_member_updated',
      broadcast: { userId },
      data: async () => {
        const member = await this.members.find(channelId, userId); // null if the user has left since
        return member && { channelMember: JSON.stringify(ChannelMemberDto.from(member, userId)) };
      },
    });
  }
}
