import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';
import { MAX_REPLIES_BYTES, type Portion, PostPortionsRepository } from './post-portions.repository.js';

/** Which replies of a thread to read, and in which order. */
export interface ThreadQuery {
  readonly rootId: string;
  /** Newest first instead of oldest first. */
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

/** Reads the replies of a thread, excluding deleted ones. */
@Injectable()
export class ThreadsRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly portions: PostPortionsRepository,
  ) {}

  replies({ rootId, newestFirst, byChange, behind, limit }: ThreadQuery): Promise<Portion> {
    const order = newestFirst ? 'DESC' : 'ASC';
    const sign = newestFirst ? '<' : '>';
    const place = byChange ? 'post.updateAt' : 'post.seq';
    const query = this.unitOfWork.manager
      .createQueryBuilder(Post, 'post')
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
}
