import { type OperationOptions } from '../../platform/common/dto/operation.js';
import { PostListDto, PostSearchResultsDto } from './dto/post-list.dto.js';

/** Who may call the operations. */
export const WHO = {
  reads: '`read_channel_content` in the channel, or `read_public_channel` in the team of an open one',
  isMember:
    'the user, who must be a member of the channel; others with `edit_other_users`, unless they may do more',
};

/** What the API description says of the operations. */
export const DOCS = {
  getPostsForChannel: {
    summary: 'List the posts of a channel, newest first',
    description:
      'Pages, or the posts around another (`before`, `after`), or whatever has changed `since` a time, deleted posts included. `since` wins over `after`, and that over `before`. Posts that take more than 10 MiB together are cut: `has_next` says so then, and `prev_post_id` and `next_post_id` tell where to go on.',
    ok: PostListDto,
    errors: [404],
  },
  getPinnedPosts: {
    summary: 'List the pinned posts of a channel, newest first',
    ok: PostListDto,
    errors: [404],
  },
  getPostsAroundLastUnread: {
    summary: 'List the posts around the first unread one',
    description: 'The newest posts when the member has read everything, or nothing yet.',
    ok: PostListDto,
    errors: [404],
  },
  searchPosts: {
    summary: 'Search the posts of a team',
    description:
      "Looks into the caller's own channels, direct ones included: the newest 10,000 posts of each, and 100,000 or 400 MB altogether, those of the most recently used channels first. All words must occur, unless `is_or_search`.",
    ok: PostSearchResultsDto,
    errors: [404],
  },
} satisfies Record<string, OperationOptions>;
