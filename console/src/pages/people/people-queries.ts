import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import type { Tone } from '../../parts/badge';

export type Person = Schemas['UserDto'];
export type Token = Schemas['UserAccessTokenDto'];

const PAGE = 60;
const FOUND = 100;

/** The next page of a list without cursors, as long as pages are full. */
const nextPage = (last: readonly unknown[], _all: unknown, page: number): number | undefined =>
  last.length < PAGE ? undefined : page + 1;

/** All accounts; with a term, the first 100 whose name or email begins with it. */
export const people = (term: string) =>
  infiniteQueryOptions({
    queryKey: ['people', 'list', term],
    queryFn: ({ pageParam: page }) =>
      answerOf(
        term === ''
          ? api.GET('/api/v4/users', { params: { query: { page, per_page: PAGE } } })
          : api.POST('/api/v4/users/search', { body: { term, allow_inactive: true, limit: FOUND } }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, all, page) => (term === '' ? nextPage(last, all, page) : undefined),
    ...following(),
  });

export const person = (userId: string) =>
  queryOptions({
    queryKey: ['people', userId],
    queryFn: () => answerOf(api.GET('/api/v4/users/{user_id}', { params: { path: { user_id: userId } } })),
  });

export const teamsOf = (userId: string) =>
  queryOptions({
    queryKey: ['people', userId, 'teams'],
    queryFn: () =>
      answerOf(api.GET('/api/v4/users/{user_id}/teams', { params: { path: { user_id: userId } } })),
  });

/** An account's team memberships with its role in each, including ended ones. */
export const membershipsOf = (userId: string) =>
  queryOptions({
    queryKey: ['people', userId, 'memberships'],
    queryFn: () =>
      answerOf(api.GET('/api/v4/users/{user_id}/teams/members', { params: { path: { user_id: userId } } })),
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

export const bots = infiniteQueryOptions({
  queryKey: ['people', 'bots'],
  queryFn: ({ pageParam: page }) =>
    answerOf(api.GET('/api/v4/bots', { params: { query: { include_deleted: true, page, per_page: PAGE } } })),
  initialPageParam: 0,
  getNextPageParam: nextPage,
  ...following(),
});

/** Describes an account's server role. */
export function roleOf({ roles, is_bot: isBot, remote_id: remoteId }: Person): string {
  if (remoteId) return 'of another server';
  if (isBot) return 'bot';
  return roles.split(' ').includes('system_admin') ? 'administrator' : 'member';
}

export const stateOf = (deletedAt: number): { readonly tone: Tone; readonly text: string } =>
  deletedAt > 0 ? { tone: 'warning', text: 'deactivated' } : { tone: 'good', text: 'active' };
