import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MAX_PER_PAGE } from '../../../platform/common/dto/params.js';
import { dialect } from '../../../platform/config/settings.js';
import { textPosition } from '../../../platform/database/folded-text.js';
import { byIndex } from '../../../platform/database/insert-or-find.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { Post } from '../post.entity.js';
import { newestFirst } from '../post-list.js';
import { PostPortionsRepository, type SizedPost } from '../post-portions.repository.js';
import { anyOf, fullTextQuery, isCompared, isTag, tagQuery, withIndexedWords } from './full-text-query.js';
import { hasTerm } from './indexed-words.js';
import type { SearchTerms } from './search-terms.js';
import { findIndexed, type Select, WordSearchReadModel } from './word-search.read-model.js';

const IN_CHANNELS = 'post.channel_id IN (:...channelIds)';
/** Without the plus sign, SQLite would read the whole channel. */
const AMONG_MATCHES = `post.rowid IN (SELECT value FROM json_each(:rowids)) AND +${IN_CHANNELS}`;
const POSTS_IN_ORDER = byIndex('posts', 'ix_posts_channel_order');
const matches = (name: string): string =>
  dialect === 'mysql'
    ? `MATCH(post.message) AGAINST (:${name} IN BOOLEAN MODE)`
    : `EXISTS (SELECT 1 FROM post_search WHERE post_search MATCH :${name} AND rowid = post.rowid)`;
const MATCHES = matches('text');
/** On SQLite, a statement blocks all other requests. */
const MATCHES_AT_A_TIME = 1_000;

/** A search in some channels. */
export interface PostSearch extends Pick<SearchTerms, 'words' | 'excluded'> {
  readonly channelIds: readonly string[];
  readonly anyWord: boolean;
  readonly authorIds: readonly string[];
  readonly otherAuthorIds: readonly string[];
  readonly limit: number;
  /** The lowest `seq`, and the first `seq` that is too high. */
  readonly from: number;
  readonly to: number;
}

/** Finds posts by the database's full-text index (docs/decisions/0046-full-text-search.md). */
@Injectable()
export class PostSearchReadModel {
  readonly limits = {
    /** On SQLite, at most this many posts with the words are read, most recently stored first. */
    matches: 100_000,
    /** A search without words reads at most this many posts in all, and of a channel. */
    posts: 100_000,
    depth: 10_000,
  };

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly portions: PostPortionsRepository,
    private readonly wordSearch: WordSearchReadModel,
  ) {}

  /** Returns the posts found, newest first; `PostPortionsRepository.complete` reads large ones. */
  async find(search: PostSearch): Promise<SizedPost[]> {
    const byText = dialect === 'mysql' && !(await this.hasOtherParser());
    if (search.words.length === 0) return this.findWithoutWords(search, byText);
    if (byText) return this.findByText(search);
    const text = fullTextQuery(search);
    if (text === '') return [];
    if (dialect === 'mysql')
      return findIndexed(() => this.select(search, `${MATCHES} AND ${IN_CHANNELS}`, { text }));
    const found: SizedPost[] = [];
    let below = Number.MAX_SAFE_INTEGER;
    for (let read = 0; read < this.limits.matches && found.length < search.limit;) {
      const rowids = await this.matchesBelow(below, text);
      found.push(...(await this.select(search, AMONG_MATCHES, { rowids: JSON.stringify(rowids) })));
      if (rowids.length < MATCHES_AT_A_TIME) break;
      below = rowids.at(-1) ?? 0;
      read += rowids.length;
      await setImmediate();
    }
    return newestOf(found, search.limit);
  }

  /** On MySQL. The index is only asked for single words, and messages are compared with the terms. */
  private async findByText(search: PostSearch): Promise<SizedPost[]> {
    const terms = withIndexedWords(search.words);
    const select: Select = (part, condition = 'TRUE', parameters = {}) =>
      this.select(part, `${condition} AND ${IN_CHANNELS}`, parameters, true);
    if (terms.length > 0) return this.wordSearch.find(search, terms, select);
    const text = fullTextQuery({ ...search, excluded: [] });
    return text === '' ? [] : findIndexed(() => select(search, MATCHES, { text }));
  }

  /** Whether an administrator has rebuilt the index with another parser (docs/contract/messaging.md#search). */
  private async hasOtherParser(): Promise<boolean> {
    const [row] = await this.unitOfWork.manager.query<Record<string, string>[]>('SHOW CREATE TABLE posts');
    return row?.['Create Table']?.includes('WITH PARSER') ?? false;
  }

  private async findWithoutWords(search: PostSearch, byText: boolean): Promise<SizedPost[]> {
    const { channelIds, excluded, limit } = search;
    const depth = Math.min(this.limits.depth, Math.ceil(this.limits.posts / channelIds.length));
    const text = byText ? '' : anyOf(excluded);
    const condition = text === '' ? IN_CHANNELS : `${IN_CHANNELS} AND NOT ${MATCHES}`;
    let found: SizedPost[] = [];
    for (const channelId of channelIds) {
      const oldest = found.length < limit ? undefined : found.at(-1);
      const from = Math.max(
        search.from,
        oldest?.post.seq ?? 0,
        await this.seqAtDepth(channelId, search.to, depth),
      );
      const one = { ...search, channelIds: [channelId], from };
      found.push(...(await this.select(one, condition, { text }, byText)));
      found = newestOf(found, limit);
      await setImmediate();
    }
    return found;
  }

  /** The row IDs of posts with the words, most recently stored first; on SQLite. */
  private async matchesBelow(rowid: number, text: string): Promise<number[]> {
    const rows = await this.unitOfWork.manager.query<{ rowid: number }[]>(
      'SELECT rowid FROM post_search WHERE post_search MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
      [text, rowid, MATCHES_AT_A_TIME],
    );
    return rows.map((row) => row.rowid);
  }

  /** Returns the `seq` of the last post that a search without words reads, or 0 if it reads all. */
  private async seqAtDepth(channelId: string, to: number, depth: number): Promise<number> {
    const [row] = await this.unitOfWork.manager.query<{ seq: number | string }[]>(
      `SELECT seq FROM ${POSTS_IN_ORDER} WHERE channel_id = ? AND seq < ? ORDER BY seq DESC LIMIT 1 OFFSET ?`,
      [channelId, to, depth - 1],
    );
    return Number(row?.seq ?? 0);
  }

  /** With `byText`, messages are compared with words that are otherwise left to the index. */
  private select(
    { channelIds, words, excluded, anyWord, authorIds, otherAuthorIds, limit, from, to }: PostSearch,
    condition: string,
    parameters: Record<string, unknown>,
    byText = false,
  ): Promise<SizedPost[]> {
    const query = this.unitOfWork.manager
      .createQueryBuilder(Post, 'post')
      .where(condition, parameters)
      .setParameters({ channelIds })
      .andWhere('post.seq >= :from AND post.seq < :to', { from, to })
      .andWhere("post.deleteAt = 0 AND post.type NOT LIKE 'system!_%' ESCAPE '!'")
      .orderBy('post.seq', 'DESC')
      .addOrderBy('post.id', 'DESC')
      .limit(limit);
    if (authorIds.length > 0) query.andWhere('post.userId IN (:...authorIds)', { authorIds });
    if (otherAuthorIds.length > 0)
      query.andWhere('post.userId NOT IN (:...otherAuthorIds)', { otherAuthorIds });
    const contains = (word: string, name: string): string => {
      query.setParameter(name, word.replace(/\*$/, ''));
      return `${textPosition('post.message', `:${name}`)} > 0`;
    };
    const has = (term: string, name: string): string => {
      const [sql, values] = byText ? hasTerm(term, name) : [matches(name), { [name]: tagQuery(term) }];
      query.setParameters(values);
      return sql;
    };
    if (!anyWord)
      words
        .filter((word) => isCompared(word))
        .forEach((word, index) => query.andWhere(contains(word, `word${index}`)));
    const hasTerms = withIndexedWords(byText ? words : []).map((term, index) => has(term, `term${index}`));
    if (hasTerms.length > 0) query.andWhere(`(${hasTerms.join(anyWord ? ' OR ' : ' AND ')})`);
    excluded.forEach((term, index) => {
      const parts = [
        ...(isTag(term) ? [contains(term, `tag${index}`)] : []),
        ...(withIndexedWords([term]).length > 0 && (isTag(term) || byText) ? [has(term, `not${index}`)] : []),
      ];
      if (parts.length > 0) query.andWhere(`NOT (${parts.join(' AND ')})`);
    });
    return this.portions.sized(query, MAX_PER_PAGE);
  }
}

function newestOf(found: SizedPost[], limit: number): SizedPost[] {
  return found.sort((a, b) => newestFirst(a.post, b.post)).slice(0, limit);
}
