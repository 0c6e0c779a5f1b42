import { Injectable } from '@nestjs/common';
import { MAX_PER_PAGE } from '../../../platform/common/dto/params.js';
import { textPosition } from '../../../platform/database/folded-text.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Post } from '../post.entity.js';
import { type Portion, PostPortionsRepository, type SizedPost } from '../post-portions.repository.js';

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
  /** User ids; empty for all authors. */
  readonly authorIds: readonly string[];
  readonly limit: number;
}

/** A range of a channel's posts by `seq`, from `from` to before `below`, with their number and size. */
export interface SearchWindow {
  readonly from: number;
  readonly below: number;
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

  /** Of the posts found, newest first, those that fit into a list. */
  complete(found: readonly SizedPost[]): Promise<Portion> {
    return this.portions.complete(found);
  }

  /** The window of the newest `posts` posts before a `seq`; null if there are none. */
  async windowBelow(channelId: string, below: number, posts: number): Promise<SearchWindow | null> {
    const [row] = await this.unitOfWork.manager.query<{ first: number; posts: number; bytes: number }[]>(
      `SELECT MIN(w.seq) AS first, COUNT(*) AS posts, SUM(w.bytes) AS bytes
       FROM (SELECT seq, OCTET_LENGTH(message) AS bytes FROM posts
             WHERE channel_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?) w`,
      [channelId, below, posts],
    );
    if (!row || Number(row.posts) === 0) return null;
    return { from: Number(row.first), below, posts: Number(row.posts), bytes: Number(row.bytes) };
  }

  /** The matching posts of a window, newest first; `complete` reads the content of large ones. */
  async find(search: ChannelSearch, { from, below }: SearchWindow): Promise<SizedPost[]> {
    const query = this.unitOfWork.manager
      .createQueryBuilder(Post, 'post')
      .where('post.channelId = :channelId AND post.seq >= :from AND post.seq < :below')
      .andWhere("post.deleteAt = 0 AND post.type NOT LIKE 'system!_%' ESCAPE '!'")
      .setParameters({ channelId: search.channelId, from, below })
      .orderBy('post.seq', 'DESC')
      .addOrderBy('post.id', 'DESC')
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
    return this.portions.sized(query, MAX_PER_PAGE);
  }
}
