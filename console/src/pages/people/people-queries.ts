import { IconBan } from '@tabler/icons-react';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { queries } from '../../app/services';
import type { Status } from '../../parts/statuses';

export type Person = Schemas['UserDto'];
export type Token = Schemas['UserAccessTokenDto'];

const PAGE = 60;
const FOUND = 100;

/** The next page of a list without cursors, as long as pages are full. */
const nextPage = (last: readonly unknown[], _all: unknown, page: number): number | undefined =>
  last.length < PAGE ? undefined : page + 1;

/** What narrows a list of people, from the address. */
export interface PeopleFilter {
  readonly search?: string;
  readonly role?: string;
  readonly state?: string;
}

/** All accounts; with a text, the first 100 whose name or email begins with it. */
export const people = ({ search: term = '', role = '', state }: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: ['people', 'list', { term, role, state }],
    queryFn: async ({ pageParam: page }) => {
      if (term === '') {
        const states = state === 'active' ? { active: true } : { inactive: true };
        const query = { page, per_page: PAGE, ...(role && { role }), ...(state && states) };
        return answerOf(api.GET('/api/v4/users', { params: { query } }));
      }
      const body = { term, allow_inactive: state !== 'active', limit: FOUND, ...(role && { role }) };
      const found = await answerOf(api.POST('/api/v4/users/search', { body }));
      return state === 'deactivated' ? found.filter(({ delete_at: at }) => at > 0) : found;
    },
    initialPageParam: 0,
    getNextPageParam: (last, all, page) => (term === '' ? nextPage(last, all, page) : undefined),
    ...following(),
  });

export const person = (userId: string) =>
  queryOptions({
    queryKey: ['people', userId],
    queryFn: () => answerOf(api.GET('/api/v4/users/{user_id}', { params: { path: { user_id: userId } } })),
  });

/** Teams of an account, and whether it administers them. */
export const teamsOf = (userId: string) =>
  queryOptions({
    queryKey: ['people', userId, 'teams'],
    queryFn: async () => {
      const params = { path: { user_id: userId } };
      const [teams, memberships] = await Promise.all([
        answerOf(api.GET('/api/v4/users/{user_id}/teams', { params })),
        answerOf(api.GET('/api/v4/users/{user_id}/teams/members', { params })),
      ]);
      const administered = new Set(memberships.filter((one) => one.scheme_admin).map((one) => one.team_id));
      return teams.map((team) => ({ ...team, isAdmin: administered.has(team.id) }));
    },
  });

export const sessionsOf = (userId: string) =>
  queryOptions({
    queryKey: ['people', userId, 'sessions'],
    queryFn: () =>
      answerOf(api.GET('/api/v4/users/{user_id}/sessions', { params: { path: { user_id: userId } } })),
  });

export const tokensOf = (userId: string) =>
  queryOptions({
    queryKey: ['people', userId, 'tokens'],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/users/{user_id}/tokens', {
          params: { path: { user_id: userId }, query: { per_page: 200 } },
        }),
      ),
  });

/** All tokens; with a term, those whose id or owner name contains it. */
export const tokens = (term: string) =>
  infiniteQueryOptions({
    queryKey: ['people', 'tokens', term],
    queryFn: ({ pageParam: page }) =>
      answerOf(
        term === ''
          ? api.GET('/api/v4/users/tokens', { params: { query: { page, per_page: PAGE } } })
          : api.POST('/api/v4/users/tokens/search', { body: { term } }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, all, page) => (term === '' ? nextPage(last, all, page) : undefined),
    ...following(),
  });

/** All bots, including deactivated ones. */
export const bots = queryOptions({
  queryKey: ['people', 'bots'],
  queryFn: () =>
    allPages((page) =>
      answerOf(api.GET('/api/v4/bots', { params: { query: { include_deleted: true, ...page } } })),
    ),
});

/** Describes an account's role on the server. */
export function roleOf({ roles, is_bot: isBot, remote_id: remoteId }: Person): string {
  if (remoteId) return 'Of another server';
  if (isBot) return 'Bot';
  return roles.split(' ').includes('system_admin') ? 'Administrator' : 'Member';
}

export const stateOf = (deletedAt: number): Status =>
  deletedAt > 0 ? { tone: 'warning', text: 'Deactivated', icon: IconBan } : { tone: 'good', text: 'Active' };

interface FullName {
  readonly first_name?: string | undefined;
  readonly last_name?: string;
}

export const fullNameOf = ({ first_name: first = '', last_name: last = '' }: FullName): string =>
  `${first} ${last}`.trim();

/** Query keys of all cached account names. */
const KEYS = ['people', 'usernames', 'authors', 'teams', 'me'];

/** Reads all accounts again after a change. */
export async function reloadAccounts(): Promise<void> {
  await Promise.all(KEYS.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
