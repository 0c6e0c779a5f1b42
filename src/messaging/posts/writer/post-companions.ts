import { Injectable } from '@nestjs/common';
import type { CreatedPost } from '../posts.events.js';
import type { RowsToInsert } from '../../../platform/database/rows.js';

/**
 * Returns the rows to insert in the transaction of new posts. It is called before the transaction begins. If it throws,
 * the posts are not stored.
 */
export type CompanionSource = (created: readonly CreatedPost[]) => Promise<readonly RowsToInsert[]>;

/** The registry of sources that add rows to commits of posts. */
@Injectable()
export class PostCompanions {
  private readonly sources: CompanionSource[] = [];

  register(source: CompanionSource): void {
    this.sources.push(source);
  }

  /** The rows of all sources for these posts, which are about to be stored. */
  async of(created: readonly CreatedPost[]): Promise<readonly RowsToInsert[]> {
    return (await Promise.all(this.sources.map((source) => source(created)))).flat();
  }
}
