import type { Post } from './post.entity.js';

/** A list of posts as the contract shapes it (docs/contract/messaging.md#post-lists). */
export interface PostList {
  /** In the order of the answer. */
  readonly posts: readonly Post[];
  /** Posts that come along without being asked for: the first posts of threads. */
  readonly context: readonly Post[];
  /** The newer neighbour of the window, empty at the end. */
  readonly nextPostId: string;
  readonly prevPostId: string;
  /** Told where a list was cut, or may have been. */
  readonly hasNext?: boolean;
}

export const EMPTY_LIST: PostList = { posts: [], context: [], nextPostId: '', prevPostId: '' };

/** What is left of a deleted post for those who only need to know that it is gone. */
export function stub(post: Post): Post {
  if (post.deleteAt === 0) return post;
  const { attachments: _gone, ...props } = post.props;
  return { ...post, message: '', hashtags: '', props, metadata: {} };
}
