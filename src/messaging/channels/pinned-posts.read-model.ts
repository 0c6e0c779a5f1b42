import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';

/** Counts the pinned posts of a channel. It reads the table itself because the posts module depends on channels. */
@Injectable()
export class PinnedPostsReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async count(channelId: string): Promise<number> {
    const [row] = await this.unitOfWork.manager.query<{ pinned: number | string }[]>(
      // `is_pinned = 1` must match the condition of the partial index.
      "SELECT COUNT(*) AS pinned FROM posts WHERE channel_id = ? AND is_pinned = 1 AND delete_at = 0 AND original_id = ''",
      [channelId],
    );
    return Number(row?.pinned ?? 0);
  }
}
