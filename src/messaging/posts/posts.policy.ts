import { Injectable } from '@nestjs/common';
import { definePermissions } from '../../platform/access/access.js';
import type { Channel } from '../channels/channel.entity.js';
import { ChannelsService } from '../channels/channels.service.js';
import { permissionDenied } from '../../platform/common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { UserPermission } from '../users/users.policy.js';
import { PermissionsService } from '../permissions/permissions.service.js';
import type { Post } from './post.entity.js';

/** Permissions for posts, including those clients read from roles to offer reactions, links and mentions. */
export const PostPermission = definePermissions({
  CreatePost: ['create_post', 'system_post_all', 'team_post_all', 'channel_user'],
  CreatePostPublic: ['create_post_public', 'system_post_all_public', 'team_post_all_public'],
  EditPost: ['edit_post', 'channel_user'],
  EditOthersPosts: ['edit_others_posts'],
  DeletePost: ['delete_post', 'team_admin', 'channel_user'],
  DeleteOthersPosts: ['delete_others_posts', 'team_admin'],
  AddReaction: ['add_reaction', 'channel_user'],
  RemoveReaction: ['remove_reaction', 'channel_user'],
  UploadFile: ['upload_file', 'channel_user'],
  GetPublicLink: ['get_public_link', 'channel_user'],
  UseChannelMentions: [
    'use_channel_mentions',
    'system_post_all',
    'system_post_all_public',
    'team_post_all',
    'team_post_all_public',
    'channel_user',
  ],
  UseGroupMentions: ['use_group_mentions', 'channel_admin'],
});

/** Who may read a post, for the API description. */
export const WHO_READS = '`read_channel_content` in the channel';

/** The contract's name for the permission to see deleted posts; `manage_system` includes it. */
const READ_DELETED = 'read_deleted_posts';

/** Decides who may write, read and change posts (docs/contract/messaging.md#posts). */
@Injectable()
export class PostsPolicy {
  constructor(
    private readonly permissions: PermissionsService,
    private readonly channels: ChannelsService,
  ) {}

  /** Returns the channel to post in. Throws `permissionDenied` for an unknown channel too. */
  async requireCreate(actor: Actor, channelId: string): Promise<Channel> {
    const channel = await this.channels.find(channelId);
    if (!channel || !(await this.canCreate(actor, channel)))
      throw permissionDenied(PostPermission.CreatePost);
    return channel;
  }

  async requireUpload(actor: Actor, channelId: string): Promise<void> {
    await this.permissions.require(actor, PostPermission.UploadFile, { channelId });
  }

  /** Whether the caller may set the creation time of a post. */
  canChooseTime(actor: Actor): Promise<boolean> {
    return this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem);
  }

  canRead(actor: Actor, channelId: string): Promise<boolean> {
    return this.permissions.canReadChannel(actor, channelId);
  }

  /** Returns those of the channels whose posts the caller may read. */
  async readable(actor: Actor, channelIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const readable = new Set<string>();
    for (const channelId of channelIds) if (await this.canRead(actor, channelId)) readable.add(channelId);
    return readable;
  }

  async requireRead(actor: Actor, channelId: string): Promise<void> {
    if (!(await this.canRead(actor, channelId))) throw permissionDenied(CommonPermission.ReadChannelContent);
  }

  async requireReadDeleted(actor: Actor): Promise<void> {
    if (!(await this.permissions.hasOnSystem(actor, CommonPermission.ManageSystem)))
      throw permissionDenied(READ_DELETED);
  }

  async requireEdit(actor: Actor, post: Post): Promise<void> {
    const scope = { channelId: post.channelId };
    await this.permissions.require(actor, PostPermission.EditPost, scope);
    if (actor.userId !== post.userId)
      await this.permissions.require(actor, PostPermission.EditOthersPosts, scope);
    await this.requireCreate(actor, post.channelId);
  }

  async requireDelete(actor: Actor, post: Post): Promise<void> {
    const permission =
      actor.userId === post.userId ? PostPermission.DeletePost : PostPermission.DeleteOthersPosts;
    await this.permissions.require(actor, permission, { channelId: post.channelId });
  }

  /** Only the author and local mode may see old versions. */
  async requireHistory(actor: Actor, post: Post): Promise<void> {
    await this.permissions.require(actor, PostPermission.EditPost, { channelId: post.channelId });
    if (actor.kind === 'user' && actor.userId !== post.userId)
      throw permissionDenied(PostPermission.EditPost);
  }

  /** Only the user and those who may edit the account may see the user's unread or saved posts. */
  async requireSelf(actor: Actor, userId: string): Promise<void> {
    await this.permissions.requireSelfOrOver(actor, userId, UserPermission.EditOtherUsers);
  }

  async requireManageSystem(actor: Actor): Promise<void> {
    await this.permissions.require(actor, CommonPermission.ManageSystem, 'system');
  }

  async requireViewTeam(actor: Actor, teamId: string): Promise<void> {
    await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
  }

  private async canCreate(actor: Actor, channel: Channel): Promise<boolean> {
    if (await this.permissions.hasOnChannel(actor, PostPermission.CreatePost, channel.id)) return true;
    return (
      channel.type === 'O' &&
      (await this.permissions.hasOnTeam(actor, PostPermission.CreatePostPublic, channel.teamId))
    );
  }
}
