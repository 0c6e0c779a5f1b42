import { Injectable } from '@nestjs/common';
import { In, type SelectQueryBuilder } from 'typeorm';
import { sequenceFrom } from '../../platform/common/sequence.js';
import { byIndex } from '../../platform/database/insert-or-find.js';
import { positional } from '../../platform/database/select-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';
import {
  beyond,
  type ChannelView,
  type Cursor,
  type Direction,
  inView,
  type Places,
  placesInChannel,
  placesOfChanges,
} from './post-places.js';
import {
  countFitting,
  MAX_ROOTS_BYTES,
  type Portion,
  PostPortionsRepository,
  type SizedPost,
} from './post-portions.repository.js';

/** Maximum number of old versions kept and listed per post, if they fit. */
const MAX_VERSIONS = 200;
/** Maximum number of surplus versions removed per edit, for posts edited before there was a limit. */
const MAX_SURPLUS = 200;

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

  /** Returns the number of replies to each thread root. */
  threadSizes(rootIds: readonly string[]): Promise<Pick<Post, 'id' | 'replyCount'>[]> {
    if (rootIds.length === 0) return Promise.resolve([]);
    return this.posts.find({ select: { id: true, replyCount: true }, where: { id: In(rootIds) } });
  }

  /** Newest first. */
  page(view: ChannelView, offset: number, limit: number): Promise<Portion> {
    if (offset === 0) return this.newest(view, limit);
    const places = placesInChannel(view, 'older', limit, offset);
    return this.portions.read(inOrder(at(this.query, places), 'older'), limit);
  }

  /** Plain SQL without a cursor condition, since the first page needs no range. */
  private newest(view: ChannelView, limit: number): Promise<Portion> {
    const { sql, parameters } = positional(inView(view), { channelId: view.channelId });
    const from = `${byIndex('posts post', 'ix_posts_channel_order')} WHERE ${sql} ORDER BY seq DESC, id DESC LIMIT ?`;
    return this.portions.readFrom({ sql: from, parameters: [...parameters, limit] }, limit);
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

  /** Returns the ID of the post next to `cursor`. */
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

  /** Returns posts changed after a time, earliest change first. Includes deleted posts. */
  changedAfter(view: ChannelView, time: number, limit: number): Promise<Portion> {
    const query = at(this.query, placesOfChanges(view, time, limit))
      .orderBy('post.updateAt', 'ASC')
      .addOrderBy('post.id', 'ASC');
    return this.portions.readChanges(query, limit);
  }

  /** Returns posts changed after one time and up to another, latest change first. */
  changedWithin(
    view: ChannelView,
    [after, until]: readonly [number, number],
    limit: number,
    maxBytes: number,
  ): Promise<Portion> {
    const query = at(this.query, placesOfChanges(view, after, limit, until))
      .orderBy('post.updateAt', 'DESC')
      .addOrderBy('post.id', 'ASC');
    return this.portions.readChanges(query, limit, maxBytes);
  }

  /** Whether the channel has more than `count` rows. Reads only the index. */
  async hasMoreRows(channelId: string, count: number): Promise<boolean> {
    const rows = await this.unitOfWork.manager.query<unknown[]>(
      `SELECT seq FROM ${byIndex('posts', 'ix_posts_channel_order')} WHERE channel_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ?`,
      [channelId, count],
    );
    return rows.length > 0;
  }

  /** Newest first. `isPinned = 1` must match the condition of the partial index. */
  pinned(channelId: string, limit: number): Promise<Portion> {
    const query = this.query.where(
      'post.channelId = :channelId AND post.isPinned = 1 AND post.deleteAt = 0',
      {
        channelId,
      },
    );
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

/** Restricts a query to these places. */
function at(query: SelectQueryBuilder<Post>, { sql, parameters }: Places): SelectQueryBuilder<Post> {
  return query.innerJoin(`(${sql})`, 'place', 'place.id = post.id').setParameters(parameters);
}
