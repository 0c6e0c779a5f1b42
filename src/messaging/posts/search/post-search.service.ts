import { Injectable } from '@nestjs/common';
import { MAX_PER_PAGE } from '../../../platform/common/dto/params.js';
import { InvalidBodyParam, tooManyRequests } from '../../../platform/common/errors/common-errors.js';
import { FairLimit } from '../../../platform/common/fair-limit.js';
import { loopTurn } from '../../../platform/common/loop-turn.js';
import { sequenceFrom } from '../../../platform/common/sequence.js';
import { dialect } from '../../../platform/config/settings.js';
import { foldedPosition } from '../../../platform/database/folded-text.js';
import { type Actor, requireUser } from '../../permissions/actor.js';
import { ChannelRecords } from '../../channels/channel-records.js';
import { TeamRecords } from '../../teams/team-records.js';
import { VisibleUsers } from '../../users/visible-users.js';
import { UserRecords } from '../../users/user-records.js';
import type { SearchPostsDto } from '../dto/write-post.dto.js';
import type { Post } from '../post.entity.js';
import { EMPTY_LIST, type PostList } from '../post-list.js';
import type { SizedPost } from '../post-portions.repository.js';
import { PostsPolicy } from '../posts.policy.js';
import { ThreadSizesService } from '../thread-sizes.service.js';
import { ChannelWalk } from './channel-walk.js';
import { NEWEST, PostSearchRepository, type SearchedChannel } from './post-search.repository.js';
import { SearchBlocksRepository } from './search-blocks.repository.js';
import { SearchIndex } from './search-index.service.js';
import { parseSearchTerms, type SearchTerms } from './search-terms.js';

const MAX_TERMS_LENGTH = 512;
const MAX_WAITING = 1_000;
const MAX_OFFSET_S = 86_400;
/** Shared queue key for heavy users; never a user ID. */
const HEAVY = '';

export interface SearchResults {
  readonly list: PostList;
  /** The words found in each post, by post ID. */
  readonly matches: ReadonlyMap<string, string[]>;
}

/**
 * Searches the messages of the caller's channels. The cost is bounded: it reads the newest posts of the most
 * recently used channels, in small steps so that other requests can run in between.
 */
@Injectable()
export class PostSearchService {
  readonly limits = {
    channels: 200,
    /** Newest posts per channel. */
    depth: 10_000,
    /** Posts across all channels. */
    posts: 100_000,
    /** Bytes count once per word. */
    bytes: 400_000_000,
    /** On SQLite, a statement blocks all other requests. */
    postsAtATime: dialect === 'sqlite' ? 500 : 5_000,
    bytesAtATime: dialect === 'sqlite' ? 400_000 : 4_000_000,
  };
  private readonly turns = new FairLimit<string>(1, MAX_WAITING, () =>
    tooManyRequests(`${MAX_WAITING} searches of a user`),
  );

  constructor(
    private readonly search: PostSearchRepository,
    private readonly blocks: SearchBlocksRepository,
    private readonly index: SearchIndex,
    private readonly channels: ChannelRecords,
    private readonly teams: TeamRecords,
    private readonly users: UserRecords,
    private readonly visible: VisibleUsers,
    private readonly policy: PostsPolicy,
    private readonly threadSizes: ThreadSizesService,
  ) {}

  /** Throws InvalidBodyParam for empty or overly long terms, `permissionDenied`, `teamNotFound`. */
  async find(actor: Actor, teamId: string, search: SearchPostsDto): Promise<SearchResults> {
    const userId = requireUser(actor);
    await this.policy.requireViewTeam(actor, teamId);
    await this.teams.get(teamId);
    const terms = requireTerms(search);
    const limit = Math.min(search.per_page, MAX_PER_PAGE);
    if (isEmpty(terms) || search.page > 0 || limit <= 0) return { list: EMPTY_LIST, matches: new Map() };
    const channels = await this.channels.listByActivity(
      userId,
      teamId,
      search.include_deleted_channels,
      this.limits.channels,
    );
    const { posts, rest } = await this.search.complete(
      await this.collect(actor, filterByName(channels, terms), terms, search.is_or_search, limit),
    );
    return {
      list: {
        ...EMPTY_LIST,
        posts: await this.threadSizes.fill(posts),
        ...(rest.length > 0 && { hasNext: true }),
      },
      matches: new Map(posts.map((post) => [post.id, foundWords(post, terms)])),
    };
  }

  private async collect(
    actor: Actor,
    channels: readonly SearchedChannel[],
    terms: SearchTerms,
    anyWord: boolean,
    limit: number,
  ): Promise<SizedPost[]> {
    const authorIds = await this.idsOf(actor, terms.authors);
    if (terms.authors.length > 0 && authorIds.length === 0) return [];
    const posts: SizedPost[] = [];
    const { limits } = this;
    const effort = { posts: limits.posts, bytes: limits.bytes };
    const { words, excluded, since, until } = terms;
    const otherAuthorIds = await this.idsOf(actor, terms.otherAuthors);
    const range = { from: Math.max(0, sequenceFrom(since)), to: Math.min(NEWEST, sequenceFrom(until)) };
    const common = { words, excluded, anyWord, authorIds, otherAuthorIds, limit, to: range.to };
    const inTurn = <T>(statement: () => Promise<T>): Promise<T> => this.inTurn(requireUser(actor), statement);
    for (const { id: channelId } of channels) {
      if (effort.posts <= 0 || effort.bytes <= 0) break;
      if (!(await this.policy.canRead(actor, channelId))) continue; // a member may lack the permission
      const oldest = posts.length < limit ? undefined : posts.at(-1);
      const wanted = { ...common, channelId, from: Math.max(range.from, oldest?.post.seq ?? 0) };
      const means = { search: this.search, blocks: this.blocks, index: this.index, limits, inTurn };
      posts.push(...(await new ChannelWalk(wanted, effort, means).run()));
      posts.sort(newestFirst).splice(limit);
    }
    return posts;
  }

  /** Returns the IDs of the users with these names whom the caller may see. */
  private async idsOf(actor: Actor, usernames: readonly string[]): Promise<string[]> {
    const found = await Promise.all(usernames.map((name) => this.users.findByUsername(name)));
    const known = found.filter((user) => user !== null);
    const seen = await this.visible.only(actor, known, ({ id }) => id);
    return seen.map(({ id }) => id);
  }

  /**
   * Runs one search statement at a time, taking turns by user; on SQLite, one per event loop turn. Callers
   * over their share take turns as a single user, and rest unless another user is waiting.
   */
  private inTurn<T>(userId: string, statement: () => Promise<T>): Promise<T> {
    const lane = loopTurn.isForHeavy ? HEAVY : userId;
    return this.turns.run(lane, async () => {
      await new Promise(setImmediate);
      const startedAt = performance.now();
      const found = await statement();
      if (!this.turns.isWantedBesides(lane)) await loopTurn.rest(startedAt);
      return found;
    });
  }
}

function newestFirst({ post: a }: SizedPost, { post: b }: SizedPost): number {
  return b.seq - a.seq || (a.id < b.id ? 1 : -1);
}

function requireTerms({ terms, time_zone_offset: offset = 0 }: SearchPostsDto): SearchTerms {
  if (terms.trim() === '') throw new InvalidBodyParam('terms');
  if (terms.length > MAX_TERMS_LENGTH) {
    throw new InvalidBodyParam('terms', `they may have ${MAX_TERMS_LENGTH} characters at most`);
  }
  if (Math.abs(offset) > MAX_OFFSET_S)
    throw new InvalidBodyParam('time_zone_offset', `it may be ${MAX_OFFSET_S} seconds at most`);
  const parsed = parseSearchTerms(terms, offset * 1_000);
  if (parsed.flaw !== '')
    throw new InvalidBodyParam('terms', `${parsed.flaw} is not understood; write a day as in on:2026-01-31`);
  return parsed;
}

function isEmpty({ since, until, flaw: _, ...lists }: SearchTerms): boolean {
  return Object.values(lists).every((list) => list.length === 0) && since === -Infinity && until === Infinity;
}

function filterByName(
  channels: readonly SearchedChannel[],
  { channels: names, otherChannels: others }: SearchTerms,
): readonly SearchedChannel[] {
  return channels.filter(
    ({ name }) => (names.length === 0 || names.includes(name)) && !others.includes(name),
  );
}

function foundWords(post: Post, { words }: SearchTerms): string[] {
  return words.filter((word) => foldedPosition(post.message, word) > 0);
}
