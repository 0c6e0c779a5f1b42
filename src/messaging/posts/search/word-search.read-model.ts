import { Injectable } from '@nestjs/common';
import { newId } from '../../../platform/common/ids.js';
import { isTooManyMatches } from '../../../platform/database/database-errors.js';
import { CONNECTION_LIMITS } from '../../../platform/database/mysql-session.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import type { SizedPost } from '../post-portions.repository.js';
import { tooManyMatches } from '../posts.errors.js';
import { dotted, includes, indexedWords, wordsIn } from './indexed-words.js';
import type { PostSearch } from './post-search.read-model.js';
import { planSearch, type SampledPost, type SearchPlan } from './search-plan.js';

/** Reads posts with the terms of a search; `condition` is a further one. */
export type Select = (
  search: PostSearch,
  condition?: string,
  parameters?: Record<string, unknown>,
) => Promise<SizedPost[]>;

/**
 * Searches for words on MySQL, where the full-text index reads all posts with the words before it can return one. It
 * is only asked for words that few posts have by a random sample; otherwise posts are read newest first.
 */
@Injectable()
export class WordSearchReadModel {
  readonly limits = {
    sample: 1_000,
    /** Posts that the index may read, and that a statement reads: of the first one, and of any. */
    matches: 200_000,
    firstPart: 500,
    largestPart: 50_000,
  };

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Returns the posts with `terms`, newest first. Throws `tooManyMatches`. */
  async find(search: PostSearch, terms: readonly string[], select: Select): Promise<SizedPost[]> {
    const wordsOfTerms = terms.map(indexedWords);
    const words = [...new Set(wordsOfTerms.flat())];
    const plan = await this.plan(search, wordsOfTerms, words);
    if (plan.words.length > 0) {
      const text = plan.words.map((word) => `${search.anyWord ? '' : '+'}${words[word] ?? ''}`).join(' ');
      return findIndexed(() =>
        select(search, 'MATCH(post.message) AGAINST (:text IN BOOLEAN MODE)', { text }),
      );
    }
    const end = performance.now() + CONNECTION_LIMITS.maxStatementMs;
    const found: SizedPost[] = [];
    let { to } = search;
    for (const from of [...plan.parts, search.from]) {
      found.push(...(await select({ ...search, from, to, limit: search.limit - found.length })));
      if (found.length >= search.limit) break;
      if (performance.now() > end) throw tooManyMatches();
      to = from;
    }
    return found;
  }

  private async plan(
    search: PostSearch,
    wordsOfTerms: readonly (readonly string[])[],
    words: readonly string[],
  ): Promise<SearchPlan> {
    const sample = await this.sample(search, words);
    const [row] = await this.unitOfWork.manager.query<{ rows: number | string }[]>(
      'EXPLAIN SELECT message FROM posts',
    );
    const terms = wordsOfTerms.map((some) => some.map((word) => words.indexOf(word)));
    return planSearch(sample, Number(row?.rows ?? 0), { ...search, terms }, this.limits);
  }

  /** Posts in the order of their random ids. Only the beginning of each message counts. */
  private async sample(
    { channelIds, authorIds, otherAuthorIds, from, to }: PostSearch,
    words: readonly string[],
  ): Promise<SampledPost[]> {
    const read = async (
      id: string,
    ): Promise<{ seq: number | string | null; has: string; user_id: string }[]> => {
      const inSearch = `channel_id IN (${channelIds.map(() => '?').join(', ')}) AND seq >= ? AND seq < ?`;
      return this.unitOfWork.manager.query(
        `SELECT CASE WHEN ${inSearch} THEN seq END AS seq, user_id,
           CONCAT(${words.map(() => includes('words', '?')).join(', ')}) AS has
         FROM (SELECT channel_id, seq, user_id, ${wordsIn('LEFT(message, 2000)')} AS words
           FROM posts WHERE id >= ? ORDER BY id LIMIT ?) AS sample`,
        [...channelIds, from, to, ...words.map((word) => dotted(word)), id, this.limits.sample],
      );
    };
    let rows = await read(newId());
    if (rows.length < this.limits.sample) rows = await read('');
    return rows.map(({ seq, has, user_id: userId }) => ({
      seq: seq === null ? null : Number(seq),
      has: [...has].map((flag) => flag === '1'),
      isByAuthor: (authorIds.length === 0 || authorIds.includes(userId)) && !otherAuthorIds.includes(userId),
    }));
  }
}

/** The index collects every match in memory, and may refuse to. Throws `tooManyMatches`. */
export async function findIndexed(find: () => Promise<SizedPost[]>): Promise<SizedPost[]> {
  try {
    return await find();
  } catch (error) {
    throw isTooManyMatches(error) ? tooManyMatches() : error;
  }
}
