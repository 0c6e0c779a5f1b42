import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Post } from './post.entity.js';
import { type Portion, PostPortionsRepository } from './post-portions.repository.js';

/** Which replies of a thread to read. */
export interface ThreadQuery {
  readonly rootId: string;
  /** Newest first instead of oldest first. */
  readonly newestFirst: boolean;
  /** By the time of the last change instead of the place in the order. */
  readonly byChange: boolean;
  /** Only what comes behind this post or time, in the direction of reading. */
  readonly behind?: ThreadCursor;
  readonly limit: number;
}

/** A time, and with `post` the very place among those of the same time. */
export interface ThreadCursor {
  readonly time: number;
  readonly post?: Pick<Post, 'seq' | 'id'>;
}

/** Reads the replies of one thread; deleted ones are left out. */
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
    return this.portions.read(query, limit);
  }
}
