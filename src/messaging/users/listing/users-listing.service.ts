import { Injectable } from '@nestjs/common';
import { InvalidBodyParam, InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { JsonBudget, MAX_ANSWER_BYTES } from '../../../platform/common/json-budget.js';
import type { Page } from '../../../platform/common/dto/params.js';
import { isId } from '../../../platform/common/ids.js';
import { runeLength } from '../../../platform/common/utf8.js';
import type { Actor } from '../../permissions/actor.js';
import { CommonPermission } from '../../permissions/common.permissions.js';
import { PermissionsService } from '../../permissions/permissions.service.js';
import type { SearchUsersDto } from '../dto/user.dto.js';
import { StatusesService } from '../statuses/statuses.service.js';
import type { User } from '../user.entity.js';
import { isEmail, isUsernameShaped } from '../user-rules.js';
import { accountsTooLarge, usernameNotFound, userNotFound } from '../users.errors.js';
import { UsersRepository } from '../users.repository.js';
import type { UserFilter, UserSort } from './list-query.js';
import { UserListsReadModel } from './user-lists.read-model.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
/** This many accounts of the largest size fit into the response limit. */
const ACCOUNTS_PER_QUERY = 200;
const MAX_TERMS = 8;
const MAX_TERM_LENGTH = 256;
const NOBODY = { online: [], away: [], dnd: [] };

export interface ListQuery extends UserFilter {
  readonly sort: string;
}

/** Finds, lists, searches and autocompletes users. */
@Injectable()
export class UsersListingService {
  constructor(
    private readonly repository: UsersRepository,
    private readonly lists: UserListsReadModel,
    private readonly permissions: PermissionsService,
    private readonly statuses: StatusesService,
  ) {}

  async getByUsername(username: string): Promise<User> {
    const name = asStored(username);
    if (!isUsernameShaped(name)) throw new InvalidUrlParam('username');
    const user = await this.repository.findByUsername(name);
    if (!user) throw usernameNotFound();
    return user;
  }

  async getByEmail(email: string): Promise<User> {
    const address = asStored(email);
    if (!isEmail(address)) throw new InvalidUrlParam('email');
    const user = await this.repository.findByEmail(address);
    if (!user) throw userNotFound();
    return user;
  }

  /** Existing accounts that changed after `since`. Throws `accountsTooLarge`. */
  async listByIds(ids: readonly string[], since: number): Promise<readonly User[]> {
    return inSlices('user_ids', ids, async (some) =>
      (await this.repository.listByIds(some)).filter((user) => user.updateAt > since),
    );
  }

  /** Like listByIds, but by username. */
  async listByUsernames(usernames: readonly string[]): Promise<readonly User[]> {
    return inSlices('usernames', usernames.map(asStored), (some) => this.repository.listByUsernames(some));
  }

  async list(actor: Actor, query: ListQuery, page: Page): Promise<User[]> {
    if (query.notInChannel !== undefined && query.inTeam === undefined) throw new InvalidUrlParam('in_team');
    requireSchemeRoles('team_roles', 'team', query.teamRoles, query.inTeam);
    requireSchemeRoles('channel_roles', 'channel', query.channelRoles, query.inChannel);
    const sort = sortOf(query);
    await this.requireAllowed(actor, query);
    const presence = sort === 'status' ? this.statuses.presence() : NOBODY;
    return this.lists.list(query, sort, presence, page.offset, page.perPage);
  }

  async search(actor: Actor, body: SearchUsersDto): Promise<User[]> {
    const { term, limit: wanted } = body;
    if (term.trim() === '' || runeLength(term) > MAX_TERM_LENGTH)
      throw new InvalidBodyParam('term', `it must have 1 to ${MAX_TERM_LENGTH} characters`);
    if (wanted < 0 || wanted > MAX_LIMIT)
      throw new InvalidBodyParam('limit', `it must be 1 to ${MAX_LIMIT}, or 0 for the default`);
    const limit = wanted || DEFAULT_LIMIT;
    const filter: UserFilter = {
      inTeam: bodyId('team_id', body.team_id),
      notInTeam: bodyId('not_in_team_id', body.not_in_team_id),
      inChannel: bodyId('in_channel_id', body.in_channel_id),
      notInChannel: bodyId('not_in_channel_id', body.not_in_channel_id),
      isWithoutTeam: body.without_team,
      isActive: body.allow_inactive ? undefined : true,
      roles: body.role === '' ? [] : [body.role],
      terms: words(term),
    };
    if (filter.notInChannel !== undefined && filter.inTeam === undefined)
      throw new InvalidBodyParam('team_id');
    await this.requireAllowed(actor, filter);
    return this.fitting(filter, limit, MAX_ANSWER_BYTES);
  }

  /** Members whose name starts with `name`, and separately team members who are not in the channel. */
  async autocomplete(
    actor: Actor,
    where: { inTeam: string | undefined; inChannel: string | undefined },
    name: string,
    limit: number,
  ): Promise<{ users: User[]; outOfChannel: User[] | undefined }> {
    const { inTeam, inChannel } = where;
    const terms = words(name.slice(0, MAX_TERM_LENGTH));
    const filter: UserFilter = { inTeam, inChannel, isActive: true, terms };
    await this.requireAllowed(actor, filter);
    const size = Math.min(limit > 0 ? limit : DEFAULT_LIMIT, MAX_LIMIT);
    const list = (some: UserFilter): Promise<User[]> => this.fitting(some, size, MAX_ANSWER_BYTES / 2);
    if (inChannel === undefined) return { users: await list(filter), outOfChannel: undefined };
    const outside = { ...filter, inChannel: undefined, notInChannel: inChannel };
    const outOfChannel = inTeam === undefined ? [] : await list(outside);
    return { users: await list({ ...filter, inTeam: undefined }), outOfChannel };
  }

  listKnown(actor: Actor): Promise<string[]> {
    return this.lists.listKnown(actor.userId);
  }

  count(): Promise<number> {
    return this.lists.countActive();
  }

  /** The first accounts by username: at most `limit`, and at most `maxBytes` in total. */
  private async fitting(filter: UserFilter, limit: number, maxBytes: number): Promise<User[]> {
    const budget = new JsonBudget(maxBytes);
    const found: User[] = [];
    for (let isMore = true; isMore && found.length < limit;) {
      const wanted = Math.min(limit - found.length, ACCOUNTS_PER_QUERY);
      const users = await this.lists.list(filter, 'username', NOBODY, found.length, wanted);
      for (const user of users) {
        if (!budget.take(user)) return found;
        found.push(user);
      }
      isMore = users.length === ACCOUNTS_PER_QUERY;
    }
    return found;
  }

  private async requireAllowed(actor: Actor, filter: UserFilter): Promise<void> {
    for (const teamId of [filter.inTeam, filter.notInTeam]) {
      if (teamId !== undefined) await this.permissions.require(actor, CommonPermission.ViewTeam, { teamId });
    }
    for (const channelId of [filter.inChannel, filter.notInChannel]) {
      if (channelId !== undefined)
        await this.permissions.require(actor, CommonPermission.ReadChannel, { channelId });
    }
  }
}

function sortOf({ sort, inTeam, notInTeam, inChannel, notInChannel, isWithoutTeam }: ListQuery): UserSort {
  const isElsewhere = notInTeam !== undefined || notInChannel !== undefined || isWithoutTeam === true;
  if (sort === '') return 'username';
  if (
    (sort === 'last_activity_at' || sort === 'create_at') &&
    inTeam !== undefined &&
    inChannel === undefined &&
    !isElsewhere
  ) {
    return sort;
  }
  if ((sort === 'status' || sort === 'admin') && inChannel !== undefined && !isElsewhere) return sort;
  throw new InvalidUrlParam(
    'sort',
    'last_activity_at and create_at require in_team alone, status and admin require in_channel',
  );
}

function requireSchemeRoles(
  param: string,
  scope: string,
  roles: readonly string[] = [],
  scopeId: string | undefined,
): void {
  if (roles.length === 0) return;
  const isKnown = roles.every((role) => [`${scope}_user`, `${scope}_admin`].includes(role));
  if (!isKnown || scopeId === undefined) {
    throw new InvalidUrlParam(param, `it accepts ${scope}_user, ${scope}_admin, together with in_${scope}`);
  }
}

function bodyId(field: string, value: string): string | undefined {
  if (value === '') return undefined;
  if (!isId(value)) throw new InvalidBodyParam(field, 'it must be 26 letters and digits');
  return value;
}

/** Splits a search term into words, without a leading @. */
function words(term: string): string[] {
  return term
    .split(/\s+/)
    .map((word) => word.replace(/^@/, ''))
    .filter((word) => word !== '')
    .slice(0, MAX_TERMS);
}

/** Usernames and addresses are stored in lower case. */
function asStored(name: string): string {
  return name.trim().toLowerCase();
}

/** The accounts that `load` finds for the requested keys, by username, if they fit into a response. */
async function inSlices(
  field: string,
  keys: readonly string[],
  load: (some: readonly string[]) => Promise<readonly User[]>,
): Promise<User[]> {
  const unique = [...new Set(keys)];
  const budget = new JsonBudget(MAX_ANSWER_BYTES);
  const found: User[] = [];
  for (let from = 0; from < unique.length; from += ACCOUNTS_PER_QUERY) {
    for (const user of await load(unique.slice(from, from + ACCOUNTS_PER_QUERY))) {
      if (!budget.take(user)) throw accountsTooLarge(field);
      found.push(user);
    }
  }
  return found.sort((a, b) => (a.username < b.username ? -1 : 1));
}
