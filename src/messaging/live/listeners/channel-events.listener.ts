import { Injectable } from '@nestjs/common';
import { On, OnEverywhere } from '../../../platform/events/listeners.js';
import { ChannelsService } from '../../channels/channels.service.js';
import {
  ChannelArchived,
  ChannelConverted,
  ChannelCreated,
  ChannelMemberAdded,
  ChannelMemberRemoved,
  ChannelMemberUpdated,
  ChannelRestored,
  ChannelSharingChanged,
  ChannelUpdated,
  ChannelViewed,
  DirectChannelCreated,
  GroupChannelCreated,
} from '../../channels/channels.events.js';
import { ChannelDto } from '../../channels/dto/channel.dto.js';
import type { Broadcast, LiveData } from '../live-event.js';
import { LiveEventsService } from '../live-events.service.js';
import { LiveRelay } from '../others/posts-of-others.js';
import { ChannelMembersService } from '../../channels/channel-members.service.js';
import { ChannelMemberDto } from '../../channels/dto/channel-member.dto.js';

/** Sends events about channels and their members (docs/contract/messaging.md#live-events). */
@Injectable()
export class ChannelEventsListener {
  constructor(
    private readonly live: LiveEventsService,
    private readonly channels: ChannelsService,
    private readonly relay: LiveRelay,
    private readonly members: ChannelMembersService,
  ) {}

  @OnEverywhere(ChannelCreated)
  onChannelCreated({ channelId, teamId, creatorId }: ChannelCreated): void {
    this.live.send('channel_created', { userId: creatorId }, { channel_id: channelId, team_id: teamId });
  }

  @OnEverywhere(ChannelUpdated)
  @OnEverywhere(ChannelSharingChanged)
  onChannelUpdated({ channelId }: ChannelUpdated | ChannelSharingChanged): void {
    this.live.send('channel_updated', { channelId }, async () => ({
      channel: JSON.stringify(ChannelDto.from(await this.channels.getFresh(channelId))),
    }));
  }

  @OnEverywhere(ChannelConverted)
  onChannelConverted({ channelId, teamId }: ChannelConverted): void {
    this.live.send('channel_converted', { teamId, openChannelId: channelId }, { channel_id: channelId });
  }

  @OnEverywhere(ChannelArchived)
  onChannelArchived({ channelId, teamId, deleteAt }: ChannelArchived): void {
    this.publishToViewers('channel_deleted', channelId, teamId, {
      channel_id: channelId,
      delete_at: deleteAt,
    });
  }

  @OnEverywhere(ChannelRestored)
  onChannelRestored({ channelId, teamId }: ChannelRestored): void {
    this.publishToViewers('channel_restored', channelId, teamId, { channel_id: channelId });
  }

  @OnEverywhere(DirectChannelCreated)
  onDirectChannelCreated({ channelId, creatorId, teammateId }: DirectChannelCreated): void {
    this.live.send('direct_added', { channelId }, { creator_id: creatorId, teammate_id: teammateId });
  }

  @OnEverywhere(GroupChannelCreated)
  onGroupChannelCreated({ channelId, creatorId, teammateIds }: GroupChannelCreated): void {
    this.live.send(
      'group_added',
      { channelId },
      { creator_id: creatorId, teammate_ids: JSON.stringify(teammateIds) },
    );
  }

  @On(ChannelViewed)
  onChannelViewed({ userId, channelTimes }: ChannelViewed): void {
    this.relay.send('multiple_channels_viewed', { userId }, { channel_times: channelTimes });
  }

  /** The added user gets their own copy. */
  @OnEverywhere(ChannelMemberAdded)
  onChannelMemberAdded({ channelId, userId, teamId }: ChannelMemberAdded): void {
    const data = { user_id: userId, team_id: teamId };
    this.live.send('user_added', { channelId, omitUsers: [userId] }, data);
    this.live.send('user_added', { channelId, userId }, data);
  }

  /** Sent to the remaining members and to the removed user, who is no longer a member. */
  @OnEverywhere(ChannelMemberRemoved)
  onChannelMemberRemoved({ channelId, userId, actorId }: ChannelMemberRemoved): void {
    this.live.send(
      'user_removed',
      { channelId, omitUsers: [userId] },
      { user_id: userId, remover_id: actorId },
    );
    this.live.send('user_removed', { userId }, { channel_id: channelId, remover_id: actorId });
  }

  @OnEverywhere(ChannelMemberUpdated)
  onChannelMemberUpdated({ channelId, userId }: ChannelMemberUpdated): void {
    this.live.send('channel_member_updated', { userId }, async () => {
      const member = await this.members.find(channelId, userId); // null if the user has since left
      return member && { channelMember: JSON.stringify(ChannelMemberDto.from(member, userId)) };
    });
  }

  /** Events about an open channel go to its team; events about a private channel go to its members. */
  private publishToViewers(event: string, channelId: string, teamId: string, data: LiveData): void {
    this.live.send(event, () => this.viewersOf(channelId, teamId), data);
  }

  private async viewersOf(channelId: string, teamId: string): Promise<Broadcast> {
    const channel = await this.channels.find(channelId);
    return channel?.type === 'O' ? { teamId, openChannelId: channelId } : { channelId };
  }
}
