import type { Post } from './post.entity.js';

/** A list of posts (docs/contract/messaging.md#post-lists). */
export interface PostList {
  /** In response order. */
  readonly posts: readonly Post[];
  /** Thread roots of the listed replies, sent along with them. */
  readonly context: readonly Post[];
  /** The post after the newest listed one; empty if none. */
  readonly nextPostId: string;
  /** The post before the oldest listed one; empty if none. */
  readonly prevPostId: string;
  /** Set if the list was truncated; always set for thread pages. */
  readonly hasNext?: boolean;
}

export const EMPTY_LIST: PostList = { posts: [], context: [], nextPostId: '', prevPostId: '' };

/** Compares posts for a list, newest first. */
export function newestFirst(a: Post, b: Post): number {
  return b.seq - a.seq || (a.id < b.id ? 1 : -1);
}

/** Removes the content of a deleted post, for clients that only need to know about the deletion. */
export function stub(post: Post): Post {
  if (post.deleteAt === 0) return post;
  const { attachments: _gone, ...props } = post.props;
  return { ...post, message: '', hashtags: '', props, metadata: {} };
}
