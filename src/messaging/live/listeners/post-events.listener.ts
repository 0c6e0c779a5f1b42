import { Injectable } from '@nestjs/common';
import { On } from '../../../platform/events/listeners.js';
import type { Channel } from '../../channels/channel.entity.js';
import { ChannelsService } from '../../channels/channels.service.js';
import { PostsSettings } from '../../posts/posts.settings.js';
import { PostDto } from '../../posts/dto/post.dto.js';
import { type CreatedPost, PostDeleted, PostEdited, PostsCreated } from '../../posts/posts.events.js';
import type { Post } from '../../posts/post.entity.js';
import { isSystemType } from '../../posts/posts.rules.js';
import { UsersService } from '../../users/users.service.js';
import type { LiveData, Receiver } from '../live-event.js';
import { LiveEventsService } from '../live-events.service.js';

/** Sends events about posts to the members of their channel (docs/contract/messaging.md#live-events). */
@Injectable()
export class PostEventsListener {
  constructor(
    private readonly live: LiveEventsService,
    private readonly channels: ChannelsService,
    private readonly users: UsersService,
    private readonly settings: PostsSettings,
  ) {}

  @On(PostsCreated)
  onPostsCreated({ created }: PostsCreated): void {
    if (!this.live.hasConnections) return;
    for (const one of created) this.publishPosted(one);
  }

  @On(PostEdited)
  onPostEdited({ post }: PostEdited): void {
    this.live.send('post_edited', { channelId: post.channelId, isContent: true }, () => ({
      post: postJson(post),
    }));
  }

  /** Only administrators learn who deleted it. */
  @On(PostDeleted)
  onPostDeleted({ post, deletedBy }: PostDeleted): void {
    const { channelId } = post;
    this.live.send('post_deleted', { channelId, isContent: true, split: 'admins' }, () => ({
      post: postJson(post),
      delete_by: deletedBy,
    }));
    this.live.send('post_deleted', { channelId, isContent: true, split: 'others' }, () => ({
      post: postJson(post),
    }));
  }

  private publishPosted(created: CreatedPost): void {
    let isDirect = false;
    this.live.publish({
      event: 'posted',
      broadcast: { channelId: created.post.channelId, isContent: true },
      data: async () => {
        const channel = await this.channels.find(created.post.channelId);
        if (!channel) return null;
        isDirect = channel.type === 'D' || channel.type === 'G';
        return this.postedData(created, channel);
      },
      personal: (receiver) =>
        isMentioned(created, receiver, isDirect) ? { mentions: JSON.stringify([receiver.id]) } : undefined,
    });
  }

  private async postedData({ post, setOnline }: CreatedPost, channel: Channel): Promise<LiveData> {
    const senderName = await this.senderName(post, channel);
    return {
      channel_display_name: channel.type === 'D' ? senderName : channel.displayName,
      channel_name: channel.name,
      channel_type: channel.type,
      post: postJson(post),
      sender_name: senderName,
      set_online: setOnline,
      team_id: channel.teamId,
    };
  }

  private async senderName(post: Post, channel: Channel): Promise<string> {
    if (isSystemType(post.type)) return 'System';
    const { from_webhook: fromWebhook, override_username: override } = post.props;
    if (
      this.settings.enablePostUsernameOverride &&
      fromWebhook === 'true' &&
      typeof override === 'string' &&
      channel.type !== 'D'
    ) {
      return override;
    }
    return `@${(await this.users.find(post.userId))?.username ?? ''}`;
  }
}

function isMentioned({ post, mentions }: CreatedPost, receiver: Receiver, isDirect: boolean): boolean {
  if (!mentions) return false;
  if (mentions.userIds.includes(receiver.id)) return true;
  return mentions.everyone && receiver.id !== post.userId && (isDirect || receiver.takesChannelMentions);
}

function postJson(post: Post): string {
  return JSON.stringify(PostDto.from(post));
}
