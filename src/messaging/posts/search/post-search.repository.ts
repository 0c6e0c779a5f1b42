import { Injectable } from '@nestjs/common';
import { MAX_PER_PAGE } from '../../../platform/common/dto/params.js';
import { textPosition } from '../../../platform/database/folded-text.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Post } from '../post.entity.js';
import { type Portion, PostPortionsRepository, type SizedPost } from '../post-portions.repository.js';
import { POSTS_IN_ORDER, type SeqRange } from './search-blocks.repository.js';

/** Greater than every `seq`. */
export const NEWEST = Number.MAX_SAFE_INTEGER;

/** A channel to search. */
export interface SearchedChannel {
  readonly id: string;
  readonly name: string;
}

/** A search in one channel. */
export interface ChannelSearch {
  readonly channelId: string;
  readonly words: readonly string[];
  readonly excluded: readonly string[];
  readonly anyWord: boolean;
  /** User IDs; empty for all authors. */
  readonly authorIds: readonly string[];
  /** User IDs of authors to exclude. */
  readonly otherAuthorIds: readonly string[];
  readonly limit: number;
  /** Posts below this `seq` may be omitted. */
  readonly from: number;
  /** Finds only posts below this `seq`. */
  readonly to: number;
}

/** A range of a channel's posts, with their number and size. */
export interface SearchWindow extends SeqRange {
  readonly posts: number;
  readonly bytes: number;
}

/** Searches messages, one window of a channel at a time. */
@Injectable()
export class PostSearchRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly portions: PostPortionsRepository,
  ) {}

  /** Returns the found posts that fit into a list, newest first. */
  complete(found: readonly SizedPost[]): Promise<Portion> {
    return this.portions.complete(found);
  }

  /** Returns the window of the newest `posts` posts of a range, or null if there are none. */
  async windowBelow(channelId: string, { from, to }: SeqRange, posts: number): Promise<SearchWindow | null> {
    const [row] = await this.unitOfWork.manager.query<{ first: number; posts: number; bytes: number }[]>(
      `SELECT MIN(w.seq) AS first, COUNT(*) AS posts, SUM(w.bytes) AS bytes
       FROM (SELECT seq, OCTET_LENGTH(message) AS bytes FROM ${POSTS_IN_ORDER}
             WHERE channel_id = ? AND seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?) w`,
      [channelId, from, to, posts],
    );
    if (!row || Number(row.posts) === 0) return null;
    return { from: Number(row.first), to, posts: Number(row.posts), bytes: Number(row.bytes) };
  }

  /** Returns the matching posts of a range, newest first; `complete` reads the content of large ones. */
  find(search: ChannelSearch, { from, to }: SeqRange): Promise<SizedPost[]> {
    return this.matching(search, 'seq >= :from AND seq < :to', { from, to });
  }

  /** Returns the matching posts among the given ones, newest first. */
  findAmong(search: ChannelSearch, seqs: readonly number[]): Promise<SizedPost[]> {
    return this.matching(search, 'seq IN (:...seqs)', { seqs });
  }

  private matching(
    search: ChannelSearch,
    condition: string,
    parameters: Record<string, unknown>,
  ): Promise<SizedPost[]> {
    const query = this.unitOfWork.manager
      .createQueryBuilder(Post, 'post')
      .innerJoin(
        `(SELECT id, seq FROM ${POSTS_IN_ORDER} WHERE channel_id = :channelId AND ${condition})`,
        'place',
        'place.id = post.id',
      )
      .where("post.deleteAt = 0 AND post.type NOT LIKE 'system!_%' ESCAPE '!'")
      .setParameters({ channelId: search.channelId, ...parameters })
      .orderBy('place.seq', 'DESC')
      .addOrderBy('place.id', 'DESC')
      .limit(search.limit);
    const wanted = search.words.map((word, index) => {
      query.setParameter(`word${index}`, word);
      return `${textPosition('post.message', `:word${index}`)} > 0`;
    });
    if (wanted.length > 0) query.andWhere(`(${wanted.join(search.anyWord ? ' OR ' : ' AND ')})`);
    search.excluded.forEach((word, index) =>
      query.andWhere(`${textPosition('post.message', `:not${index}`)} = 0`, { [`not${index}`]: word }),
    );
    if (search.authorIds.length > 0)
      query.andWhere('post.userId IN (:...authors)', { authors: search.authorIds });
    if (search.otherAuthorIds.length > 0)
      query.andWhere('post.userId NOT IN (:...others)', { others: search.otherAuthorIds });
    return this.portions.sized(query, MAX_PER_PAGE);
  }
}
