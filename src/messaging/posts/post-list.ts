import type { Post } from './post.entity.js';

/** A list of posts (docs/contract/messaging.md#post-lists). */
export interface PostList {
  /** In the order of the answer. */
  readonly posts: readonly Post[];
  /** The first posts of the listed replies' threads, which are sent along. */
  readonly context: readonly Post[];
  /** The post after the newest listed one; empty if there is none. */
  readonly nextPostId: string;
  /** The post before the oldest listed one; empty if there is none. */
  readonly prevPostId: string;
  /** Set if the list was cut; threads with pages always set it. */
  readonly hasNext?: boolean;
}

export const EMPTY_LIST: PostList = { posts: [], context: [], nextPostId: '', prevPostId: '' };

/** A deleted post without its content, for clients that only need to know that it was deleted. Others are unchanged. */
export function stub(post: Post): Post {
  if (post.deleteAt === 0) return post;
  const { attachments: _gone, ...props } = post.props;
  return { ...post, message: '', hashtags: '', props, metadata: {} };
}
