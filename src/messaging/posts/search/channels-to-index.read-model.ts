import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';

/** A channel, the time of its last post, and the `seq` up to which its posts are indexed (exclusive). */
export interface ChannelToIndex {
  readonly id: string;
  readonly lastPostAt: number;
  readonly indexedTo: number;
}

/** Finds channels with posts that are not in the search index. */
@Injectable()
export class ChannelsToIndexReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Sorted by ID. */
  async page(afterId: string, limit: number): Promise<ChannelToIndex[]> {
    const rows = await this.unitOfWork.manager.query<
      { id: string; last_post_at: number | string; indexed_to: number | string | null }[]
    >(
      `SELECT c.id, c.last_post_at, (SELECT b.to_seq FROM post_search_blocks b
         WHERE b.channel_id = c.id ORDER BY b.from_seq DESC LIMIT 1) AS indexed_to
       FROM channels c WHERE c.id > ? ORDER BY c.id LIMIT ?`,
      [afterId, limit],
    );
    return rows.map((row) => ({
      id: row.id,
      lastPostAt: Number(row.last_post_at),
      indexedTo: Number(row.indexed_to ?? 0),
    }));
  }
}
