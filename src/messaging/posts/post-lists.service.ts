import { Injectable } from '@nestjs/common';
import { ChannelMembersService } from '../channels/channel-members.service.js';
import { ChannelsService } from '../channels/channels.service.js';
import type { Page } from '../../platform/common/dto/params.js';
import { AppError } from '../../platform/common/errors/app-error.js';
import { InvalidUrlParam } from '../../platform/common/errors/common-errors.js';
import { OwnerLock } from '../../platform/database/owner-lock.js';
import type { Actor } from '../permissions/actor.js';
import type { ListQuery, UnreadOptions } from './dto/list-queries.js';
import type { Post } from './post.entity.js';
import { type FlaggedFilter, FlaggedPostsReadModel } from './flagged-posts.read-model.js';
import { LATE_MS } from './late-commits.js';
import { EMPTY_LIST, newestFirst, type PostList, stub } from './post-list.js';
import { MAX_LIST_BYTES, type Portion } from './post-portions.repository.js';
import { PostsPolicy } from './posts.policy.js';
import type { ChannelView, Cursor, Direction } from './post-places.js';
import { PostsRepository } from './posts.repository.js';

const MAX_CHANGES = 1000;
const MAX_LATE_BYTES = 1024 * 1024;
const MAX_PINNED = 1000;
/** With an offset, the database skips rows one by one, so deep pages are slow; `before` uses an index. */
const MAX_OFFSET = 50_000;

/** A list without the IDs of adjacent posts. */
type Listed = Pick<PostList, 'posts' | 'context' | 'hasNext'>;

/** Lists the posts of a channel, newest first. */
@Injectable()
export class PostListsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly flaggedPosts: FlaggedPostsReadModel,
    private readonly channels: ChannelsService,
    private readonly channelMembers: ChannelMembersService,
    private readonly policy: PostsPolicy,
    private readonly ownerLock: OwnerLock,
  ) {}

  async list(actor: Actor, channelId: string, options: ListQuery, page: Page): Promise<PostList> {
    if (options.includeDeleted) await this.policy.requireReadDeleted(actor);
    await this.requireRead(actor, channelId);
    const { since, after, before } = options;
    const view = { channelId, ...options };
    const list = await (since > 0
      ? this.changes(view, since)
      : after !== '' || before !== ''
        ? this.window(view, after || before, after !== '' ? 'newer' : 'older', page)
        : this.page(view, page));
    return this.withThreadSizes(list);
  }

  async pinned(actor: Actor, channelId: string): Promise<PostList> {
    await this.requireRead(actor, channelId);
    const listed = await this.withRoots(await this.posts.pinned(channelId, MAX_PINNED));
    return this.withThreadSizes({ ...EMPTY_LIST, ...listed });
  }

  /** Lists a user's saved posts that the caller may read. */
  async flagged(actor: Actor, userId: string, filter: FlaggedFilter, page: Page): Promise<PostList> {
    await this.policy.requireSelf(actor, userId);
    if (page.perPage === 0) return EMPTY_LIST;
    const { posts, rest } = await this.flaggedPosts.list(userId, filter, page);
    const readable = await this.policy.readable(actor, new Set(posts.map((post) => post.channelId)));
    const shown = posts.filter((post) => readable.has(post.channelId));
    return this.withThreadSizes({ ...EMPTY_LIST, ...listedOf(shown, [], rest.length > 0) });
  }

  /** Lists the first unread post and those around it, or the newest posts if all are read. */
  async unread(actor: Actor, userId: string, channelId: string, options: UnreadOptions): Promise<PostList> {
    await this.policy.requireSelf(actor, userId);
    await this.requireRead(actor, channelId);
    const member = await this.channelMembers.find(channelId, userId);
    if (!member)
      throw new AppError(404, 'app.channel.get_member.missing.app_error', 'No such channel member.');
    const view = { channelId, ...options };
    const first = member.lastViewedAt === 0 ? null : await this.posts.firstAfter(view, member.lastViewedAt);
    const list = first
      ? await this.around(view, first, options)
      : await this.page(view, { page: 0, perPage: options.limitBefore, offset: 0 });
    return this.withThreadSizes(list);
  }

  private async around(view: ChannelView, first: Post, options: UnreadOptions): Promise<PostList> {
    const third = MAX_LIST_BYTES / 3; // the remaining third is for the first unread post itself
    const newer = await this.posts.next(view, first, 'newer', 0, options.limitAfter - 1, third);
    const older = await this.posts.next(view, first, 'older', 0, options.limitBefore, third);
    const found = {
      posts: [first, ...newer.posts, ...older.posts],
      rest: [...newer.rest, ...older.rest],
    };
    const { posts, ...listed } = await this.withRoots(found, view);
    const newerCount = newer.posts.length + 1;
    const sorted = [...posts.slice(0, newerCount).reverse(), ...posts.slice(newerCount)];
    return this.withNeighbours(view, { ...listed, posts: sorted });
  }

  private async page(view: ChannelView, { offset, perPage }: Page): Promise<PostList> {
    if (!(await this.isReachable(view.channelId, offset))) return EMPTY_LIST;
    // Fetch one extra post, so that only a truncated page needs another query for the next ID.
    const found = await this.posts.page(view, offset, perPage > 0 ? perPage + 1 : 0);
    const [page, beyond] = withoutSurplus(found, perPage);
    const listed = await this.withRoots(page, view);
    const isCut = listed.posts.length < page.posts.length || page.rest.length > 0;
    const nextPostId = offset === 0 ? '' : await this.neighbour(view, listed.posts[0], 'newer');
    const prevPostId = isCut ? await this.neighbour(view, listed.posts.at(-1), 'older') : (beyond?.id ?? '');
    return { ...listed, nextPostId, prevPostId };
  }

  /** Lists a page before or after a post; empty if that post is not in the channel. */
  private async window(view: ChannelView, id: string, side: Direction, page: Page): Promise<PostList> {
    const anchor = await this.posts.find(id);
    if (anchor?.channelId !== view.channelId) return EMPTY_LIST;
    if (!(await this.isReachable(view.channelId, page.offset))) return EMPTY_LIST;
    const found = await this.posts.next(view, anchor, side, page.offset, page.perPage);
    const listed = await this.withRoots(found, view);
    const posts = side === 'newer' ? listed.posts.toReversed() : listed.posts;
    const list = await this.withNeighbours(view, { ...listed, posts });
    if (page.page > 0) return list;
    return side === 'newer' ? { ...list, prevPostId: id } : { ...list, nextPostId: id };
  }

  private async changes(view: ChannelView, since: number): Promise<PostList> {
    const found = await this.posts.changed(view, since, MAX_CHANGES + 1);
    const rest = [...found.posts.slice(MAX_CHANGES), ...found.rest];
    const changed = withoutSplitTimes(found.posts.slice(0, MAX_CHANGES), rest[0]);
    const late = await this.lateChanges(view, since);
    const { posts, ...listed } = await this.withRoots({ posts: [...changed, ...late], rest }, view);
    return { ...EMPTY_LIST, ...listed, posts: posts.toSorted(newestFirst).map(stub) };
  }

  /**
   * Returns changes that may have been committed late, after one the client has seen: processes that share a
   * database do not commit all changes in time order. Has its own limit so that lists always advance.
   */
  private async lateChanges(view: ChannelView, since: number): Promise<readonly Post[]> {
    if (this.ownerLock.slot === undefined) return [];
    return (await this.posts.changed(view, since - LATE_MS, MAX_CHANGES, since, MAX_LATE_BYTES)).posts;
  }

  private async withNeighbours(view: ChannelView, listed: Listed): Promise<PostList> {
    const nextPostId = await this.neighbour(view, listed.posts[0], 'newer');
    return { ...listed, nextPostId, prevPostId: await this.neighbour(view, listed.posts.at(-1), 'older') };
  }

  private async neighbour(view: ChannelView, from: Cursor | undefined, side: Direction): Promise<string> {
    return from ? ((await this.posts.neighbourId(view, from, side)) ?? '') : '';
  }

  /**
   * Adds the thread roots of the listed replies. The roots have a size limit too: the list is cut before the
   * first reply whose root does not fit.
   */
  private async withRoots(
    { posts, rest }: Portion,
    { skipFetchThreads }: Pick<ChannelView, 'skipFetchThreads'> = {},
  ): Promise<Listed> {
    if (skipFetchThreads) return listedOf(posts, [], rest.length > 0);
    const known = new Map(posts.map((post) => [post.id, post]));
    const rootIds = new Set(posts.map((post) => post.rootId).filter((id) => id !== ''));
    const roots = await this.posts.listRoots([...rootIds].filter((id) => !known.has(id)));
    for (const root of roots.posts) known.set(root.id, root);
    const missing = new Set(roots.rest.map((root) => root.id));
    const end = posts.findIndex((post) => missing.has(post.rootId));
    const kept = end < 0 ? posts : posts.slice(0, end);
    const shown = new Set(kept.map((post) => post.id));
    const context = [...new Set(kept.map((post) => post.rootId))].flatMap((id) => {
      const root = shown.has(id) ? undefined : known.get(id);
      return root ? [stub(root)] : [];
    });
    return listedOf(kept, context, end >= 0 || rest.length > 0);
  }

  private async withThreadSizes(list: PostList): Promise<PostList> {
    return { ...list, posts: await this.posts.withThreadSizes(list.posts, list.context) };
  }

  /** False if the channel has fewer rows than the offset. Throws InvalidUrlParam if it is too large. */
  private async isReachable(channelId: string, offset: number): Promise<boolean> {
    if (offset <= MAX_OFFSET) return true;
    if (!(await this.posts.hasMoreRows(channelId, MAX_OFFSET))) return false;
    throw new InvalidUrlParam('page', `pages end after ${MAX_OFFSET} posts; use before to list older ones`);
  }

  /** Throws `channelNotFound` before `permissionDenied`, as the contract requires. */
  private async requireRead(actor: Actor, channelId: string): Promise<void> {
    await this.channels.get(channelId);
    await this.policy.requireRead(actor, channelId);
  }
}

function withoutSurplus(
  { posts, rest }: Portion,
  perPage: number,
): [page: Portion, beyond: { readonly id: string } | undefined] {
  if (posts.length + rest.length <= perPage) return [{ posts, rest }, undefined];
  return rest.length > 0
    ? [{ posts, rest: rest.slice(0, -1) }, rest.at(-1)]
    : [{ posts: posts.slice(0, -1), rest }, posts.at(-1)];
}

function listedOf(posts: readonly Post[], context: readonly Post[], isCut: boolean): Listed {
  return { posts, context, ...(isCut ? { hasNext: true } : {}) };
}

/**
 * Drops trailing posts with the same `updateAt` as the first omitted one. Otherwise a client that continues
 * from the time of the last post would miss the omitted one.
 */
function withoutSplitTimes(
  posts: readonly Post[],
  leftOut: Pick<Post, 'updateAt'> | undefined,
): readonly Post[] {
  const end = posts.findIndex((post) => post.updateAt === leftOut?.updateAt);
  return end > 0 ? posts.slice(0, end) : posts;
}
