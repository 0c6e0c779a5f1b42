import { Injectable } from '@nestjs/common';
import { invalidQueryParam } from '../../platform/common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import type { ThreadOptions } from './dto/list-queries.js';
import type { Post } from './post.entity.js';
import { EMPTY_LIST, type PostList } from './post-list.js';
import { postNotFound } from './posts.errors.js';
import { PostsPolicy } from './posts.policy.js';
import { PostsRepository, type ThreadCursor } from './posts.repository.js';

/** Maximum number of posts in a response, used if there is no page size. */
const MAX_POSTS = 5000;

/** Reads threads (docs/contract/messaging.md#threads): the requested post, then the rest in pages. */
@Injectable()
export class ThreadsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly policy: PostsPolicy,
  ) {}

  /** Throws `postNotFound`, or `invalidQueryParam` for a `fromPost` of another thread. */
  async get(actor: Actor, postId: string, options: ThreadOptions): Promise<PostList> {
    const post = await this.posts.findLive(postId);
    if (!post) throw postNotFound();
    await this.policy.requireRead(actor, post.channelId);
    if (options.skipFetchThreads && !options.collapsedThreads)
      return { ...EMPTY_LIST, posts: [await this.posts.withThreadSize(post)] };
    const root = post.rootId === '' ? post : await this.posts.findLive(post.rootId);
    const rootId = post.rootId || post.id;
    const { items, hasNext } = await this.page(rootId, root, options);
    const posts = [post, ...items.filter((item) => item.id !== post.id)];
    const context = root ? [root] : [];
    return {
      posts: await this.posts.withThreadSizes(posts, context),
      context,
      nextPostId: '',
      prevPostId: '',
      ...(options.perPage > 0 || hasNext ? { hasNext } : {}),
    };
  }

  private async page(
    rootId: string,
    root: Post | null,
    options: ThreadOptions,
  ): Promise<{ items: Post[]; hasNext: boolean }> {
    const limit = options.perPage || MAX_POSTS;
    const byChange = options.fromUpdateAt > 0;
    const newestFirst = options.direction === 'up' || (options.direction === '' && !byChange);
    const behind = await this.cursor(rootId, options);
    const query = { rootId, newestFirst, byChange, limit: limit + 1, behind };
    const { posts, rest } = await this.posts.replies(query);
    const items = [...posts];
    if (root && !options.collapsedThreads && isBehind(root, behind, newestFirst, byChange)) items.push(root);
    items.sort((a, b) => compare(a, b, byChange) * (newestFirst ? -1 : 1));
    const isCut = rest.length > 0;
    if (isCut && items.at(-1) === root) items.pop(); // it comes after the omitted replies
    return { items: items.slice(0, limit), hasNext: isCut || items.length > limit };
  }

  private async cursor(rootId: string, options: ThreadOptions): Promise<ThreadCursor | undefined> {
    const time = options.fromUpdateAt || options.fromCreateAt;
    if (time === 0) return undefined;
    if (options.fromPost === '') return { time };
    const post = await this.posts.find(options.fromPost);
    if (!post) return { time };
    if (post.id !== rootId && post.rootId !== rootId) {
      throw invalidQueryParam('fromPost', 'it is not a post of this thread');
    }
    return { time, post };
  }
}

function compare(a: Post, b: Post, byChange: boolean): number {
  const difference = byChange ? a.updateAt - b.updateAt : a.seq - b.seq;
  return difference || (a.id < b.id ? -1 : 1);
}

/** Whether the root comes after the cursor; it is read by a separate query, without the cursor. */
function isBehind(
  root: Post,
  behind: ThreadCursor | undefined,
  newestFirst: boolean,
  byChange: boolean,
): boolean {
  if (!behind) return true;
  const sign = newestFirst ? -1 : 1;
  if (!behind.post) return sign * ((byChange ? root.updateAt : root.createAt) - behind.time) > 0;
  if (root.id === behind.post.id) return false;
  const difference = byChange ? root.updateAt - behind.time : root.seq - behind.post.seq;
  return sign * (difference || (root.id < behind.post.id ? -1 : 1)) > 0;
}
