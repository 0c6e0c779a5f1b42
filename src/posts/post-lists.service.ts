import { Injectable } from '@nestjs/common';
import { ChannelsService } from '../channels/channels.service.js';
import type { Page } from '../common/dto/params.js';
import { InvalidUrlParam, NotFound } from '../common/errors/common-errors.js';
import type { Actor } from '../permissions/actor.js';
import type { Post } from './post.entity.js';
import { EMPTY_LIST, type PostList, stub } from './post-list.js';
import { PostsPolicy } from './posts.policy.js';
import { type ChannelView, type Cursor, PostsRepository } from './posts.repository.js';
import { ThreadSizesService } from './thread-sizes.service.js';

const MAX_CHANGES = 1000;
const MAX_PINNED = 1000;
/** Pages far down are counted row by row; `before` goes there at once. */
const MAX_OFFSET = 50_000;

/** How to read the posts of a channel; `since` wins over `after`, that over `before` (spec/messaging-core.md 7.4). */
export interface ChannelPostsOptions {
  readonly page: Page;
  readonly since: number;
  readonly after: string;
  readonly before: string;
  readonly includeDeleted: boolean;
  /** Leaves out the first posts of the replies' threads. */
  readonly skipFetchThreads: boolean;
  /** Only the first posts of threads. */
  readonly collapsedThreads: boolean;
}

/** What is shown around the first unread post. */
export interface UnreadOptions extends Pick<ChannelPostsOptions, 'skipFetchThreads' | 'collapsedThreads'> {
  readonly limitBefore: number;
  readonly limitAfter: number;
}

/** The posts of a channel, newest first. */
@Injectable()
export class PostListsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly channels: ChannelsService,
    private readonly policy: PostsPolicy,
    private readonly threadSizes: ThreadSizesService,
  ) {}

  async list(actor: Actor, channelId: string, options: ChannelPostsOptions): Promise<PostList> {
    if (options.includeDeleted) await this.policy.requireReadDeleted(actor);
    await this.requireRead(actor, channelId);
    const { since, after, before } = options;
    const view = { channelId, rootsOnly: options.collapsedThreads, includeDeleted: options.includeDeleted };
    const list = await (since > 0
      ? this.changes(view, since)
      : after !== '' || before !== ''
        ? this.window(view, after || before, after !== '' ? 'newer' : 'older', options.page)
        : this.page(view, options.page));
    return this.withRoots(list, options.skipFetchThreads);
  }

  async pinned(actor: Actor, channelId: string): Promise<PostList> {
    await this.requireRead(actor, channelId);
    const posts = await this.posts.pinned(channelId, MAX_PINNED);
    return this.withRoots({ ...EMPTY_LIST, posts }, false);
  }

  /** The first post that the user has not read with its surroundings; the newest posts when everything is read. */
  async unread(actor: Actor, userId: string, channelId: string, options: UnreadOptions): Promise<PostList> {
    await this.policy.requireSelf(actor, userId);
    await this.requireRead(actor, channelId);
    const viewedAt = await this.posts.lastViewedAt(channelId, userId);
    if (viewedAt === null)
      throw new NotFound('app.channel.get_member.missing.app_error', 'No such channel member.');
    const view = { channelId, rootsOnly: options.collapsedThreads };
    const first = viewedAt === 0 ? null : await this.posts.firstAfter(view, viewedAt);
    const posts = first
      ? await this.around(view, first, options)
      : await this.posts.page(view, 0, options.limitBefore);
    return this.withRoots(await this.withNeighbours(view, posts), options.skipFetchThreads);
  }

  private async around(view: ChannelView, first: Post, options: UnreadOptions): Promise<Post[]> {
    const newer = await this.posts.next(view, first, 'newer', 0, options.limitAfter - 1);
    const older = await this.posts.next(view, first, 'older', 0, options.limitBefore);
    return [...newer.reverse(), first, ...older];
  }

  private async page(view: ChannelView, { offset, perPage }: Page): Promise<PostList> {
    if (!(await this.isReachable(view.channelId, offset))) return EMPTY_LIST;
    return this.withNeighbours(view, await this.posts.page(view, offset, perPage));
  }

  /** One page next to a post. An unknown post has nothing next to it. */
  private async window(
    view: ChannelView,
    id: string,
    side: 'older' | 'newer',
    page: Page,
  ): Promise<PostList> {
    const anchor = await this.posts.find(id);
    if (anchor?.channelId !== view.channelId) return EMPTY_LIST;
    if (!(await this.isReachable(view.channelId, page.offset))) return EMPTY_LIST;
    const found = await this.posts.next(view, anchor, side, page.offset, page.perPage);
    const posts = side === 'newer' ? found.reverse() : found;
    const list = await this.withNeighbours(view, posts);
    if (page.page > 0) return list;
    return side === 'newer' ? { ...list, prevPostId: id } : { ...list, nextPostId: id };
  }

  private async changes(view: ChannelView, since: number): Promise<PostList> {
    const changed = await this.posts.changedAfter(view, since, MAX_CHANGES + 1);
    const posts = changed.slice(0, MAX_CHANGES).sort((a, b) => b.seq - a.seq || (a.id < b.id ? 1 : -1));
    return {
      ...EMPTY_LIST,
      posts: posts.map(stub),
      ...(changed.length > MAX_CHANGES ? { hasNext: true } : {}),
    };
  }

  private async withNeighbours(view: ChannelView, posts: readonly Post[]): Promise<PostList> {
    const id = async (from: Cursor | undefined, side: 'older' | 'newer'): Promise<string> =>
      from ? ((await this.posts.neighbour(view, from, side))?.id ?? '') : '';
    const nextPostId = await id(posts[0], 'newer');
    return { posts, context: [], nextPostId, prevPostId: await id(posts.at(-1), 'older') };
  }

  /** Adds the first posts of the threads whose replies are listed. */
  private async withRoots(list: PostList, skip: boolean): Promise<PostList> {
    if (skip) return { ...list, posts: await this.threadSizes.fill(list.posts) };
    const listed = new Set(list.posts.map((post) => post.id));
    const missing = new Set(
      list.posts.map((post) => post.rootId).filter((id) => id !== '' && !listed.has(id)),
    );
    const context = (await this.posts.list([...missing])).map(stub);
    return { ...list, posts: await this.threadSizes.fill(list.posts, context), context };
  }

  /** False when the channel has no rows that far down; throws InvalidUrlParam when it has too many to count. */
  private async isReachable(channelId: string, offset: number): Promise<boolean> {
    if (offset <= MAX_OFFSET) return true;
    if (!(await this.posts.hasMoreRows(channelId, MAX_OFFSET))) return false;
    throw new InvalidUrlParam(
      'page',
      `pages end after ${MAX_OFFSET} posts; older ones are listed with before`,
    );
  }

  /** Throws ChannelNotFound before PermissionDenied, as the contract says. */
  private async requireRead(actor: Actor, channelId: string): Promise<void> {
    await this.channels.get(channelId);
    await this.policy.requireRead(actor, channelId);
  }
}
