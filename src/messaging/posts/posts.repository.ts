import { Injectable } from '@nestjs/common';
import { In, MoreThan, type SelectQueryBuilder } from 'typeorm';
import { sequenceFrom } from '../../platform/common/sequence.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';
import {
  beyond,
  type ChannelView,
  type Cursor,
  type Direction,
  type Places,
  placesInChannel,
  placesOfChanges,
} from './post-places.js';
import {
  countFitting,
  MAX_REPLIES_BYTES,
  MAX_ROOTS_BYTES,
  type Portion,
  PostPortionsRepository,
  type SizedPost,
} from './post-portions.repository.js';

/** Maximum number of old versions kept and listed per post, if they fit. */
const MAX_VERSIONS = 200;
/** Maximum number of surplus versions removed per edit, for posts edited before there was a limit. */
const MAX_SURPLUS = 200;

/** Which replies of a thread to read, and in which order. */
export interface ThreadQuery {
  readonly rootId: string;
  readonly newestFirst: boolean;
  /** Sorts by `updateAt` instead of `seq`. */
  readonly byChange: boolean;
  /** Only replies after this post or time, in reading order. */
  readonly behind?: ThreadCursor;
  readonly limit: number;
}

/** A time, and optionally a post among those with that time. */
export interface ThreadCursor {
  readonly time: number;
  readonly post?: Pick<Post, 'seq' | 'id'>;
}

/**
 * Reads posts. Every list uses an index and is limited in posts and bytes. Excludes deleted posts and old
 * versions unless a method says otherwise.
 */
@Injectable()
export class PostsRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly portions: PostPortionsRepository,
  ) {}

  /** Includes deleted posts and old versions. */
  find(id: string): Promise<Post | null> {
    return this.posts.findOneBy({ id });
  }

  findLive(id: string): Promise<Post | null> {
    return this.posts.findOneBy({ id, deleteAt: 0 });
  }

  /** In no particular order; `complete` reads the content of large posts. */
  async sizedLive(ids: readonly string[]): Promise<SizedPost[]> {
    if (ids.length === 0) return [];
    const query = this.query.where({ id: In(ids), deleteAt: 0 });
    return this.portions.sized(query, ids.length);
  }

  /** In no particular order; includes deleted posts. */
  async listAny(ids: readonly string[]): Promise<Portion> {
    if (ids.length === 0) return { posts: [], rest: [] };
    return this.portions.read(this.query.where({ id: In(ids) }), ids.length);
  }

  complete(sized: readonly SizedPost[]): Promise<Portion> {
    return this.portions.complete(sized);
  }

  /** Returns thread roots in the order of the IDs, including deleted posts but not old versions. */
  async listRoots(ids: readonly string[]): Promise<Portion> {
    if (ids.length === 0) return { posts: [], rest: [] };
    const query = this.query.where({ id: In(ids), originalId: '' });
    const place = new Map(ids.map((id, index) => [id, index]));
    const found = await this.portions.sized(query, ids.length, MAX_ROOTS_BYTES);
    found.sort((a, b) => (place.get(a.post.id) ?? 0) - (place.get(b.post.id) ?? 0));
    return this.portions.complete(found, MAX_ROOTS_BYTES);
  }

  /**
   * Sets `replyCount` of replies to that of their thread root (docs/contract/messaging.md#posts). Reads thread roots
   * missing from both lists in one query.
   */
  async withThreadSizes(posts: readonly Post[], known: readonly Post[] = []): Promise<Post[]> {
    const sizes = new Map<string, number>();
    for (const { id, rootId, replyCount } of [...known, ...posts])
      if (rootId === '') sizes.set(id, replyCount);
    const missing = new Set(posts.map((post) => post.rootId).filter((id) => id !== '' && !sizes.has(id)));
    if (missing.size > 0) {
      const query = { select: { id: true, replyCount: true }, where: { id: In([...missing]) } };
      for (const { id, replyCount } of await this.posts.find(query)) sizes.set(id, replyCount);
    }
    return posts.map((post) =>
      post.rootId === '' ? post : { ...post, replyCount: sizes.get(post.rootId) ?? post.replyCount },
    );
  }

  async withThreadSize(post: Post): Promise<Post> {
    const [filled = post] = await this.withThreadSizes([post]);
    return filled;
  }

  page(view: ChannelView, offset: number, limit: number): Promise<Portion> {
    const places = placesInChannel(view, 'older', limit, offset);
    return this.portions.read(inOrder(at(this.query, places), 'older'), limit);
  }

  /** Returns the posts next to `cursor`, nearest first. */
  next(
    view: ChannelView,
    cursor: Cursor,
    direction: Direction,
    offset: number,
    limit: number,
    maxBytes?: number,
  ): Promise<Portion> {
    const places = placesInChannel(view, direction, limit, offset, beyond(cursor, direction));
    return this.portions.read(inOrder(at(this.query, places), direction), limit, maxBytes);
  }

  async neighbourId(view: ChannelView, cursor: Cursor, direction: Direction): Promise<string | undefined> {
    const { sql, parameters } = placesInChannel(view, direction, 1, 0, beyond(cursor, direction));
    const place = await this.unitOfWork.manager
      .createQueryBuilder()
      .select('place.id', 'id')
      .from(`(${sql})`, 'place')
      .setParameters(parameters)
      .getRawOne<{ id: string }>();
    return place?.id;
  }

  /** Returns the oldest post created after a time. */
  firstAfter(view: ChannelView, time: number): Promise<Post | null> {
    const places = placesInChannel(view, 'newer', 1, 0, {
      sql: 'seq >= :from AND create_at > :time',
      parameters: { from: sequenceFrom(time + 1), time },
    });
    return at(this.query, places).getOne();
  }

  /**
   * Returns posts changed after a time, earliest change first; with `until`, only changes up to that time,
   * latest change first. Includes deleted posts.
   */
  changed(
    view: ChannelView,
    after: number,
    limit: number,
    until?: number,
    maxBytes?: number,
  ): Promise<Portion> {
    const query = at(this.query, placesOfChanges(view, after, limit, until))
      .orderBy('post.updateAt', until === undefined ? 'ASC' : 'DESC')
      .addOrderBy('post.id', 'ASC');
    return this.portions.readChanges(query, limit, maxBytes);
  }

  /** Whether the channel has more than `count` rows. Reads only the index. */
  async hasMoreRows(channelId: string, count: number): Promise<boolean> {
    const row = await this.query
      .select('post.seq')
      .where({ channelId })
      .orderBy('post.seq', 'DESC')
      .offset(count)
      .limit(1)
      .getRawOne<object>();
    return row !== undefined;
  }

  replies({ rootId, newestFirst, byChange, behind, limit }: ThreadQuery): Promise<Portion> {
    const order = newestFirst ? 'DESC' : 'ASC';
    const sign = newestFirst ? '<' : '>';
    const place = byChange ? 'post.updateAt' : 'post.seq';
    const query = this.query
      .where('post.rootId = :rootId AND post.deleteAt = 0', { rootId })
      .orderBy(place, order)
      .addOrderBy('post.id', order)
      .limit(limit);
    if (behind?.post) {
      const value = byChange ? behind.time : behind.post.seq;
      query.andWhere(`(${place} ${sign} :value OR (${place} = :value AND post.id ${sign} :id))`, {
        value,
        id: behind.post.id,
      });
    } else if (behind) {
      query.andWhere(`${byChange ? 'post.updateAt' : 'post.createAt'} ${sign} :time`, { time: behind.time });
    }
    return this.portions.read(query, limit, MAX_REPLIES_BYTES);
  }

  /** Newest first. `isPinned = 1` must match the condition of the partial index. */
  pinned(channelId: string, limit: number): Promise<Portion> {
    const condition = 'post.channelId = :channelId AND post.isPinned = 1 AND post.deleteAt = 0';
    const query = this.query.where(condition, { channelId });
    return this.portions.read(inOrder(query, 'older').limit(limit), limit);
  }

  /** Returns old versions of a post, latest first, within the limits on number and size. */
  versions(post: Post): Promise<Portion> {
    return this.portions.read(this.versionsOf(post, MAX_VERSIONS), MAX_VERSIONS);
  }

  /** Returns a limited number of IDs of old versions beyond those returned by `versions`. */
  async surplusVersionIds(post: Post): Promise<string[]> {
    const limit = MAX_VERSIONS + MAX_SURPLUS;
    const sized = await this.portions.sized(this.versionsOf(post, limit), limit, 0);
    const kept = countFitting(sized.slice(0, MAX_VERSIONS));
    return sized.slice(kept).map((version) => version.post.id);
  }

  /** Old versions have the same `seq` as the post, so that the index finds them. */
  /** The ids of posts of a channel, also deleted ones, that have changed since a time. Threads follow their roots. */
  async changedIds(channelId: string, since: number, limit: number): Promise<string[]> {
    const found = await this.posts.find({
      select: { id: true },
      where: { channelId, updateAt: MoreThan(since), originalId: '' },
      order: { seq: 'ASC', id: 'ASC' },
      take: limit,
    });
    return found.map(({ id }) => id);
  }

  private versionsOf(post: Post, limit: number): SelectQueryBuilder<Post> {
    return this.query
      .where('post.channelId = :channelId AND post.seq = :seq', { channelId: post.channelId, seq: post.seq })
      .andWhere('post.originalId = :id', { id: post.id })
      .orderBy('post.deleteAt', 'DESC')
      .addOrderBy('post.id', 'DESC')
      .limit(limit);
  }

  private get query(): SelectQueryBuilder<Post> {
    return this.posts.createQueryBuilder('post');
  }

  private get posts() {
    return this.unitOfWork.manager.getRepository(Post);
  }
}

function inOrder(query: SelectQueryBuilder<Post>, direction: Direction): SelectQueryBuilder<Post> {
  const order = direction === 'older' ? 'DESC' : 'ASC';
  return query.orderBy('post.seq', order).addOrderBy('post.id', order);
}

function at(query: SelectQueryBuilder<Post>, { sql, parameters }: Places): SelectQueryBuilder<Post> {
  return query.innerJoin(`(${sql})`, 'place', 'place.id = post.id').setParameters(parameters);
}
