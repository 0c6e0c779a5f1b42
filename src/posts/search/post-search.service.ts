import { Injectable } from '@nestjs/common';
import { InvalidBodyParam } from '../../common/errors/common-errors.js';
import { foldedPosition } from '../../database/folded-text.js';
import { type Actor, requireUser } from '../../permissions/actor.js';
import { TeamsService } from '../../teams/teams.service.js';
import { UsersService } from '../../users/users.service.js';
import type { Post } from '../post.entity.js';
import { EMPTY_LIST, type PostList } from '../post-list.js';
import { PostsPolicy } from '../posts.policy.js';
import { ThreadSizesService } from '../thread-sizes.service.js';
import { PostSearchRepository, type SearchedChannel } from './post-search.repository.js';
import { parseSearchTerms, type SearchTerms } from './search-terms.js';

const MAX_TERMS_LENGTH = 512;
const MAX_PER_PAGE = 200;
const DEFAULT_PER_PAGE = 60;
/** A search looks at so many channels, so many of the newest posts of each, and so many posts altogether. */
const MAX_CHANNELS = 200;
const MAX_DEPTH = 10_000;
const MAX_POSTS = 100_000;

export interface SearchRequest {
  readonly terms: string;
  readonly anyWord: boolean;
  readonly includeArchived: boolean;
  readonly page: number;
  readonly perPage: number | undefined;
}

export interface SearchResults {
  readonly list: PostList;
  /** The words that were found, by post id. */
  readonly matches: ReadonlyMap<string, string[]>;
}

/**
 * Looks for words in the messages of the channels that the caller is a member of. The effort is bounded: the newest
 * posts of the most recently used channels are looked at.
 */
@Injectable()
export class PostSearchService {
  constructor(
    private readonly search: PostSearchRepository,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly policy: PostsPolicy,
    private readonly threadSizes: ThreadSizesService,
  ) {}

  /** Throws InvalidBodyParam for empty terms, PermissionDenied, TeamNotFound. */
  async find(actor: Actor, teamId: string, request: SearchRequest): Promise<SearchResults> {
    const userId = requireUser(actor);
    await this.policy.requireViewTeam(actor, teamId);
    await this.teams.get(teamId);
    const terms = parseSearchTerms(checkedTerms(request.terms));
    const limit = Math.min(request.perPage ?? DEFAULT_PER_PAGE, MAX_PER_PAGE);
    if (isEmpty(terms) || request.page > 0 || limit <= 0) return { list: EMPTY_LIST, matches: new Map() };
    const channels = await this.search.channelsOf(userId, teamId, request.includeArchived, MAX_CHANNELS);
    const posts = await this.collect(named(channels, terms), terms, request.anyWord, limit);
    return {
      list: { ...EMPTY_LIST, posts: await this.threadSizes.fill(posts) },
      matches: new Map(posts.map((post) => [post.id, foundWords(post, terms)])),
    };
  }

  private async collect(
    channels: readonly SearchedChannel[],
    terms: SearchTerms,
    anyWord: boolean,
    limit: number,
  ): Promise<Post[]> {
    const authors = await Promise.all(terms.authors.map((name) => this.users.findByUsername(name)));
    const authorIds = authors.flatMap((author) => (author ? [author.id] : []));
    if (terms.authors.length > 0 && authorIds.length === 0) return [];
    const posts: Post[] = [];
    let budget = MAX_POSTS;
    for (const channel of channels) {
      if (budget <= 0) break;
      const depth = Math.min(MAX_DEPTH, budget);
      budget -= Math.min(depth, channel.messages);
      const { words, excluded } = terms;
      const query = { channelId: channel.id, words, excluded, anyWord, authorIds, depth, limit };
      posts.push(...(await this.search.find(query)));
      posts.sort((a, b) => b.seq - a.seq || (a.id < b.id ? 1 : -1)).splice(limit);
    }
    return posts;
  }
}

function checkedTerms(terms: string): string {
  if (terms.trim() === '') throw new InvalidBodyParam('terms');
  if (terms.length > MAX_TERMS_LENGTH) {
    throw new InvalidBodyParam('terms', `they may have ${MAX_TERMS_LENGTH} characters at most`);
  }
  return terms;
}

function isEmpty({ words, excluded, authors, channels }: SearchTerms): boolean {
  return words.length + excluded.length + authors.length + channels.length === 0;
}

function named(
  channels: readonly SearchedChannel[],
  { channels: names }: SearchTerms,
): readonly SearchedChannel[] {
  return names.length === 0 ? channels : channels.filter((channel) => names.includes(channel.name));
}

function foundWords(post: Post, { words }: SearchTerms): string[] {
  return words.filter((word) => foldedPosition(post.message, word) > 0);
}
