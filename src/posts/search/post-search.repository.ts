import { Injectable } from '@nestjs/common';
import { textPosition } from '../../database/folded-text.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Post } from '../post.entity.js';
import type { PostSize, SearchWindow } from './search-windows.js';

/** A channel in which to look. */
export interface SearchedChannel {
  readonly id: string;
  readonly name: string;
}

/** What to look for in one channel. */
export interface ChannelSearch {
  readonly channelId: string;
  readonly words: readonly string[];
  readonly excluded: readonly string[];
  readonly anyWord: boolean;
  /** Authors' ids; empty for all. */
  readonly authorIds: readonly string[];
  readonly limit: number;
}

/** Looks through messages, one window of a channel at a time. */
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
    const rows = await this.unitOfWork.manager.query<SearchedChannel[]>(
      `SELECT c.id, c.name FROM channel_members m JOIN channels c ON c.id = m.channel_id
       WHERE m.user_id = ? AND c.team_id IN (?, '') ${includeArchived ? '' : 'AND c.delete_at = 0'}
       ORDER BY c.last_post_at DESC, c.id LIMIT ?`,
      [userId, teamId, limit],
    );
    return rows;
  }

  /** The newest posts before a place in the order, whatever they are. */
  async sizesBelow(channelId: string, below: number, limit: number): Promise<PostSize[]> {
    const rows = await this.unitOfWork.manager.query<PostSize[]>(
      'SELECT seq, OCTET_LENGTH(message) AS bytes FROM posts WHERE channel_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
      [channelId, below, limit],
    );
    return rows.map(({ seq, bytes }) => ({ seq: Number(seq), bytes: Number(bytes) }));
  }

  /** Newest first. */
  async find(search: ChannelSearch, { from, below }: SearchWindow): Promise<Post[]> {
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
    return query.getMany();
  }
}
