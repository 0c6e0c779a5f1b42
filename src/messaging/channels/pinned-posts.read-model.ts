import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';

/** How many posts are pinned to a channel, as its statistics say; posts stand above channels. */
@Injectable()
export class PinnedPostsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async count(channelId: string): Promise<number> {
    const [row] = await this.unitOfWork.manager.query<{ pinned: number | string }[]>(
      // The condition on is_pinned is written as that of the partial index.
      "SELECT COUNT(*) AS pinned FROM posts WHERE channel_id = ? AND is_pinned = 1 AND delete_at = 0 AND original_id = ''",
      [channelId],
    );
    return Number(row?.pinned ?? 0);
  }
}
