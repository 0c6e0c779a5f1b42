import { type OperationOptions, StatusOkDto } from '../../platform/common/dto/operation.js';
import { PostListDto } from './dto/post-list.dto.js';
import { PostDto } from './dto/post.dto.js';

/** Who may call the operations. */
export const WHO = {
  creates: '`create_post` in the channel, or `create_post_public` in the team of an open one',
  reads: '`read_channel_content` in the channel',
  readsOne: '`read_channel_content` in the channel; `manage_system` for deleted posts',
  edits: '`edit_post` and `create_post` in the channel; `edit_others_posts` for posts of others',
  deletes: '`delete_post` in the channel; `delete_others_posts` for posts of others',
};

/** What the API description says of the operations. */
export const DOCS = {
  createPost: {
    summary: 'Create a post',
    description: 'A post with a `root_id` is a reply. Posts of people can trigger outgoing webhooks.',
    created: PostDto,
    errors: [501],
  },
  getPostsByIds: {
    summary: 'Read posts by their ids',
    description:
      'Newest first, 1000 ids at most, and 10 MiB of posts; those that do not exist or that the caller may not read are left out.',
    ok: [PostDto],
    errors: [404],
  },
  getPost: {
    summary: 'Read a post',
    ok: PostDto,
    errors: [404],
  },
  getPostThread: {
    summary: 'Read a thread',
    description:
      'The post asked for comes first, then the others of its thread, newest first unless `direction` is `down`.',
    ok: PostListDto,
    errors: [404],
  },
  getEditHistoryForPost: {
    summary: 'Read the earlier versions of a post',
    description:
      'Latest first, 200 versions and 10 MiB at most. A post that was never edited has none, which is a 404.',
    ok: [PostDto],
    errors: [404],
  },
  updatePost: {
    summary: 'Change a post',
    description:
      'An absent message becomes empty and an absent `is_pinned` false; absent props stay. The old version is kept.',
    ok: PostDto,
  },
  patchPost: {
    summary: 'Change some fields of a post',
    description: 'What is absent stays. The old version is kept.',
    ok: PostDto,
  },
  deletePost: {
    summary: 'Delete a post',
    description: 'The first post of a thread takes its replies with it.',
    ok: StatusOkDto,
    errors: [404, 501],
  },
  pinPost: { summary: 'Pin a post to its channel', ok: StatusOkDto },
  unpinPost: { summary: 'Unpin a post', ok: StatusOkDto },
} satisfies Record<string, OperationOptions>;
