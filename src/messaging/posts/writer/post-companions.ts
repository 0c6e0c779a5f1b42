import { Injectable } from '@nestjs/common';
import type { CreatedPost } from '../events/posts-created.event.js';
import type { RowsToInsert } from '../../../platform/database/rows.js';

/**
 * Gives the rows that are to be stored with new posts. It reads and decides before their transaction begins, so that all
 * statements are known by then. Its failure fails the posts.
 */
export type CompanionSource = (created: readonly CreatedPost[]) => Promise<readonly RowsToInsert[]>;

/** The rows that other modules add to every commit of posts. */
@Injectable()
export class PostCompanions {
  private readonly sources: CompanionSource[] = [];

  register(source: CompanionSource): void {
    this.sources.push(source);
  }

  /** What all sources add to these posts, which are about to be stored. */
  async of(created: readonly CreatedPost[]): Promise<readonly RowsToInsert[]> {
    return (await Promise.all(this.sources.map((source) => source(created)))).flat();
  }
}
