import { Injectable } from '@nestjs/common';
import { textPosition } from '../../database/folded-text.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Post } from '../post.entity.js';

/** A channel in which to look. */
export interface SearchedChannel {
  readonly id: string;
  readonly name: string;
  readonly messages: number;
}

/** What to look for in one channel. */
export interface ChannelSearch {
  readonly channelId: string;
  readonly words: readonly string[];
  readonly excluded: readonly string[];
  readonly anyWord: boolean;
  /** Authors' ids; empty for all. */
  readonly authorIds: readonly string[];
  /** How many of the newest posts are looked at. */
  readonly depth: number;
  readonly limit: number;
}

/** Looks through messages. A search reads a bounded number of rows, newest first, channel by channel. */
@Injectable()
export class PostSearchRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** The channels of a user in a team, direct and group ones included; those with the newest posts first. */
  async channelsOf(
    userId: string,
    teamId: string,
    includeArchived: boolean,
    limit: number,
  ): Promise<SearchedChannel[]> {
    const rows = await this.unitOfWork.manager.query<{ id: string; name: string; total_msg_count: number }[]>(
      `SELECT c.id, c.name, c.total_msg_count FROM channel_members m JOIN channels c ON c.id = m.channel_id
       WHERE m.user_id = ? AND c.team_id IN (?, '') ${includeArchived ? '' : 'AND c.delete_at = 0'}
       ORDER BY c.last_post_at DESC, c.id LIMIT ?`,
      [userId, teamId, limit],
    );
    return rows.map((row) => ({ id: row.id, name: row.name, messages: Number(row.total_msg_count) }));
  }

  /** Newest first. */
  async find(search: ChannelSearch): Promise<Post[]> {
    const recent = this.unitOfWork.manager
      .createQueryBuilder()
      .subQuery()
      .select('recent.id', 'id')
      .from(Post, 'recent')
      .where('recent.channelId = :channelId')
      .orderBy('recent.seq', 'DESC')
      .limit(search.depth);
    const query = this.unitOfWork.manager
      .createQueryBuilder(Post, 'post')
      .innerJoin(recent.getQuery(), 'newest', 'newest.id = post.id')
      .where("post.deleteAt = 0 AND post.type NOT LIKE 'system!_%' ESCAPE '!'")
      .setParameters({ channelId: search.channelId })
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
    return query.getMany();
  }
}
