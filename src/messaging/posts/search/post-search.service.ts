import { Injectable } from '@nestjs/common';
import { MAX_PER_PAGE } from '../../../platform/common/dto/params.js';
import { InvalidBodyParam, tooManyRequests } from '../../../platform/common/errors/common-errors.js';
import { FairLimit } from '../../../platform/common/fair-limit.js';
import { sequenceFrom } from '../../../platform/common/sequence.js';
import { runeLength } from '../../../platform/common/utf8.js';
import { dialect } from '../../../platform/config/settings.js';
import { foldedPosition } from '../../../platform/database/folded-text.js';
import { type Actor, requireUser } from '../../permissions/actor.js';
import { ChannelsService } from '../../channels/channels.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { UsersService } from '../../users/users.service.js';
import type { SearchPostsDto } from '../dto/write-post.dto.js';
import type { Post } from '../post.entity.js';
import { EMPTY_LIST, type PostList } from '../post-list.js';
import { PostPortionsRepository } from '../post-portions.repository.js';
import { PostsPolicy } from '../posts.policy.js';
import { PostsRepository } from '../posts.repository.js';
import { type PostSearch, PostSearchReadModel } from './post-search.read-model.js';
import { parseSearchTerms, type SearchTerms } from './search-terms.js';

const MAX_TERMS_LENGTH = 512;
const MAX_CHANNELS = 200;
/** On SQLite, searches would only wait for each other. */
const MAX_RUNNING = dialect === 'sqlite' ? 1 : 4;
const MAX_WAITING = 1_000;
const MAX_OFFSET_S = 86_400;

/** Searches the messages of the caller's most recently used channels. */
@Injectable()
export class PostSearchService {
  private readonly turns = new FairLimit<string>(MAX_RUNNING, MAX_WAITING, () =>
    tooManyRequests(`${MAX_WAITING} searches of a user`),
  );

  constructor(
    private readonly search: PostSearchReadModel,
    private readonly portions: PostPortionsRepository,
    private readonly channels: ChannelsService,
    private readonly teams: TeamsService,
    private readonly users: UsersService,
    private readonly policy: PostsPolicy,
    private readonly posts: PostsRepository,
  ) {}

  /**
   * Returns the posts, and the words found in each. Throws InvalidBodyParam for empty or overly long terms,
   * `permissionDenied`, `teamNotFound`.
   */
  async find(
    actor: Actor,
    teamId: string,
    search: SearchPostsDto,
  ): Promise<{ list: PostList; matches: ReadonlyMap<string, string[]> }> {
    const userId = requireUser(actor);
    await this.policy.requireViewTeam(actor, teamId);
    await this.teams.get(teamId);
    const terms = requireTerms(search);
    const limit = Math.min(search.per_page, MAX_PER_PAGE);
    if (isEmpty(terms) || search.page > 0 || limit <= 0) return { list: EMPTY_LIST, matches: new Map() };
    const wanted = await this.searchOf(actor, teamId, search, terms);
    const found = wanted && (await this.turns.run(userId, () => this.search.find({ ...wanted, limit })));
    const { posts, rest } = await this.portions.complete(found ?? []);
    return {
      list: {
        ...EMPTY_LIST,
        posts: await this.posts.withThreadSizes(posts),
        ...(rest.length > 0 && { hasNext: true }),
      },
      matches: new Map(posts.map((post) => [post.id, foundWords(post, terms)])),
    };
  }

  /** Returns null if nothing can be found. */
  private async searchOf(
    actor: Actor,
    teamId: string,
    { include_deleted_channels: withArchived, is_or_search: anyWord }: SearchPostsDto,
    { words, excluded, ...terms }: SearchTerms,
  ): Promise<Omit<PostSearch, 'limit'> | null> {
    const authorIds = await this.idsOf(terms.authors);
    if (terms.authors.length > 0 && authorIds.length === 0) return null;
    const channelIds: string[] = [];
    const userId = requireUser(actor);
    const recent = await this.channels.listByActivity(userId, teamId, withArchived, MAX_CHANNELS);
    for (const { id, name } of recent) {
      if (terms.channels.length > 0 && !terms.channels.includes(name)) continue;
      if (terms.otherChannels.includes(name)) continue;
      if (await this.policy.canRead(actor, id)) channelIds.push(id); // a member may lack the permission
    }
    if (channelIds.length === 0) return null;
    const otherAuthorIds = await this.idsOf(terms.otherAuthors);
    const from = Math.max(0, sequenceFrom(terms.since));
    const to = Math.min(Number.MAX_SAFE_INTEGER, sequenceFrom(terms.until));
    return { channelIds, words, excluded, anyWord, authorIds, otherAuthorIds, from, to };
  }

  private async idsOf(usernames: readonly string[]): Promise<string[]> {
    const found = await Promise.all(usernames.map((name) => this.users.findByUsername(name)));
    return found.filter((user) => user !== null).map(({ id }) => id);
  }
}

function requireTerms({ terms, time_zone_offset: offset = 0 }: SearchPostsDto): SearchTerms {
  if (terms.trim() === '') throw new InvalidBodyParam('terms');
  if (runeLength(terms) > MAX_TERMS_LENGTH) {
    throw new InvalidBodyParam('terms', `they must have at most ${MAX_TERMS_LENGTH} characters`);
  }
  if (Math.abs(offset) > MAX_OFFSET_S)
    throw new InvalidBodyParam('time_zone_offset', `it must be at most ${MAX_OFFSET_S} seconds`);
  const parsed = parseSearchTerms(terms, offset * 1_000);
  if (parsed.invalid !== '')
    throw new InvalidBodyParam('terms', `${parsed.invalid} is not valid; write a day such as on:2026-01-31`);
  return parsed;
}

function isEmpty({ since, until, invalid: _, ...lists }: SearchTerms): boolean {
  return Object.values(lists).every((list) => list.length === 0) && since === -Infinity && until === Infinity;
}

function foundWords(post: Post, { words }: SearchTerms): string[] {
  return words.filter((word) => foldedPosition(post.message, word.replace(/\*$/, '')) > 0);
}
