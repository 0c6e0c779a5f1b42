import { definePermissions } from '../../platform/access/permission.js';

/** What posts ask for, and what clients read from roles to offer reactions, links and mentions. */
export const PostPermission = definePermissions({
  CreatePost: ['create_post', 'system_post_all', 'team_post_all', 'channel_user', 'channel_guest'],
  CreatePostPublic: ['create_post_public', 'system_post_all_public', 'team_post_all_public'],
  EditPost: ['edit_post', 'channel_user', 'channel_guest'],
  EditOthersPosts: ['edit_others_posts'],
  DeletePost: ['delete_post', 'team_admin', 'channel_user'],
  DeleteOthersPosts: ['delete_others_posts', 'team_admin'],
  AddReaction: ['add_reaction', 'channel_user', 'channel_guest'],
  RemoveReaction: ['remove_reaction', 'channel_user', 'channel_guest'],
  UploadFile: ['upload_file', 'channel_user', 'channel_guest'],
  GetPublicLink: ['get_public_link', 'channel_user'],
  UseChannelMentions: [
    'use_channel_mentions',
    'system_post_all',
    'system_post_all_public',
    'team_post_all',
    'team_post_all_public',
    'channel_user',
    'channel_guest',
  ],
  UseGroupMentions: ['use_group_mentions', 'channel_admin'],
});

/** Who may read a post, for the API description. */
export const WHO_READS = '`read_channel_content` in the channel';
