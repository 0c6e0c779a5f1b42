import { Injectable } from '@nestjs/common';
import { In, type SelectQueryBuilder } from 'typeorm';
import { sequenceFrom } from '../../platform/common/sequence.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';
import {
  countFitting,
  MAX_ROOTS_BYTES,
  type Portion,
  PostPortionsRepository,
  type SizedPost,
} from './post-portions.repository.js';

/** How many old versions of a post are kept and listed, if they fit. */
const MAX_VERSIONS = 200;
/** A post that was edited before there was a limit loses its surplus versions with the next edits. */
const MAX_SURPLUS = 200;

/** A position in the order of posts. */
export type Cursor = Pick<Post, 'seq' | 'id'>;

/** Which posts of a channel to list. */
export interface ChannelView {
  readonly channelId: string;
  /** Only the first posts of threads. */
  readonly rootsOnly?: boolean;
  readonly includeDeleted?: boolean;
}

type Direction = 'older' | 'newer';

/**
 * Reads posts. Every list uses an index and is limited in posts and bytes. Deleted posts and old versions are left out
 * unless a method says otherwise.
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
    const query = this.posts.createQueryBuilder('post').where({ id: In(ids), deleteAt: 0 });
    return this.portions.sized(query, ids.length);
  }

  complete(sized: readonly SizedPost[]): Promise<Portion> {
    return this.portions.complete(sized);
  }

  /** The first posts of threads, in the order of the ids; includes deleted posts, but not old versions. */
  async listRoots(ids: readonly string[]): Promise<Portion> {
    if (ids.length === 0) return { posts: [], rest: [] };
    const query = this.posts.createQueryBuilder('post').where({ id: In(ids), originalId: '' });
    const place = new Map(ids.map((id, index) => [id, index]));
    const found = await this.portions.sized(query, ids.length, MAX_ROOTS_BYTES);
    found.sort((a, b) => (place.get(a.post.id) ?? 0) - (place.get(b.post.id) ?? 0));
    return this.portions.complete(found, MAX_ROOTS_BYTES);
  }

  /** The number of replies to each of these first posts. */
  threadSizes(rootIds: readonly string[]): Promise<Pick<Post, 'id' | 'replyCount'>[]> {
    if (rootIds.length === 0) return Promise.resolve([]);
    return this.posts.find({ select: { id: true, replyCount: true }, where: { id: In(rootIds) } });
  }

  /** Newest first. */
  page(view: ChannelView, offset: number, limit: number): Promise<Portion> {
    const query = inOrder(this.inChannel(view), 'older').offset(offset).limit(limit);
    return this.portions.read(query, limit);
  }

  /** The posts next to `cursor`, the nearest first. */
  next(
    view: ChannelView,
    cursor: Cursor,
    direction: Direction,
    offset: number,
    limit: number,
    maxBytes?: number,
  ): Promise<Portion> {
    const query = inOrder(beyond(this.inChannel(view), cursor, direction), direction)
      .offset(offset)
      .limit(limit);
    return this.portions.read(query, limit, maxBytes);
  }

  /** The post next to `cursor`. */
  async neighbour(view: ChannelView, cursor: Cursor, direction: Direction): Promise<Cursor | null> {
    return inOrder(beyond(this.inChannel(view), cursor, direction), direction)
      .select(['post.id', 'post.seq'])
      .limit(1)
      .getOne();
  }

  /** The oldest post created after a time. */
  firstAfter(view: ChannelView, time: number): Promise<Post | null> {
    return inOrder(this.inChannel(view), 'newer')
      .andWhere('post.seq >= :seq AND post.createAt > :time', { seq: sequenceFrom(time + 1), time })
      .limit(1)
      .getOne();
  }

  /** The posts changed after a time, including deleted ones, the earliest change first. */
  changedAfter(view: ChannelView, time: number, limit: number): Promise<Portion> {
    const query = this.inChannel({ ...view, includeDeleted: true })
      .andWhere('post.updateAt > :time', { time })
      .orderBy('post.updateAt', 'ASC')
      .addOrderBy('post.id', 'ASC')
      .limit(limit);
    return this.portions.readChanges(query, limit);
  }

  /** Whether the channel has more than `count` rows, read from the index only. */
  async hasMoreRows(channelId: string, count: number): Promise<boolean> {
    const rows = await this.unitOfWork.manager.query<unknown[]>(
      'SELECT seq FROM posts WHERE channel_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?',
      [channelId, count],
    );
    return rows.length > 0;
  }

  /** Newest first. `isPinned = 1` must match the condition of the partial index. */
  pinned(channelId: string, limit: number): Promise<Portion> {
    const query = inOrder(this.inChannel({ channelId }), 'older').andWhere('post.isPinned = 1').limit(limit);
    return this.portions.read(query, limit);
  }

  /** Old versions of a post, the latest first, as many and as large as are kept. */
  versions(post: Post): Promise<Portion> {
    return this.portions.read(this.versionsOf(post, MAX_VERSIONS), MAX_VERSIONS);
  }

  /** The ids of old versions beyond those that `versions` gives, a limited number of them. */
  async surplusVersionIds(post: Post): Promise<string[]> {
    const limit = MAX_VERSIONS + MAX_SURPLUS;
    const sized = await this.portions.sized(this.versionsOf(post, limit), limit, 0);
    const kept = countFitting(sized.slice(0, MAX_VERSIONS));
    return sized.slice(kept).map((version) => version.post.id);
  }

  /** They have the `seq` of the post, by which the index finds them. */
  private versionsOf(post: Post, limit: number): SelectQueryBuilder<Post> {
    return this.posts
      .createQueryBuilder('post')
      .where('post.channelId = :channelId AND post.seq = :seq', { channelId: post.channelId, seq: post.seq })
      .andWhere('post.originalId = :id', { id: post.id })
      .orderBy('post.deleteAt', 'DESC')
      .addOrderBy('post.id', 'DESC')
      .limit(limit);
  }

  private inChannel({ channelId, rootsOnly, includeDeleted }: ChannelView): SelectQueryBuilder<Post> {
    const query = this.posts.createQueryBuilder('post').where('post.channelId = :channelId', { channelId });
    if (includeDeleted) query.andWhere("post.originalId = ''");
    else query.andWhere('post.deleteAt = 0');
    return rootsOnly ? query.andWhere("post.rootId = ''") : query;
  }

  private get posts() {
    return this.unitOfWork.manager.getRepository(Post);
  }
}

function inOrder(query: SelectQueryBuilder<Post>, direction: Direction): SelectQueryBuilder<Post> {
  const order = direction === 'older' ? 'DESC' : 'ASC';
  return query.orderBy('post.seq', order).addOrderBy('post.id', order);
}

/** Restricts a query to the posts before or after the cursor. The first condition is a range of the index. */
function beyond(
  query: SelectQueryBuilder<Post>,
  { seq, id }: Cursor,
  direction: Direction,
): SelectQueryBuilder<Post> {
  const sign = direction === 'older' ? '<' : '>';
  return query.andWhere(`post.seq ${sign}= :seq AND (post.seq ${sign} :seq OR post.id ${sign} :id)`, {
    seq,
    id,
  });
}
