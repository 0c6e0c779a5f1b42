import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { queries } from '../../app/services';
import { myChannels } from '../../parts/team-picker';

export type Team = Schemas['TeamDto'];
export type Channel = Schemas['ChannelDto'];

const PAGE = 60;

/** The teams of the server, or those whose names hold a term. */
export const teams = (term: string) =>
  infiniteQueryOptions({
    queryKey: ['teams', 'all', term],
    queryFn: async ({ pageParam: page }) => {
      const found = await answerOf(
        term === ''
          ? api.GET('/api/v4/teams', { params: { query: { page, per_page: PAGE } } })
          : api.POST('/api/v4/teams/search', { body: { term } }),
      );
      return Array.isArray(found) ? found : found.teams;
    },
    initialPageParam: 0,
    getNextPageParam: (last, _all, page) => (term !== '' || last.length < PAGE ? undefined : page + 1),
    ...following(),
  });

export const team = (teamId: string) =>
  queryOptions({
    queryKey: ['teams', teamId],
    queryFn: () => answerOf(api.GET('/api/v4/teams/{team_id}', { params: { path: { team_id: teamId } } })),
  });

/** All channels of a team: public, private and archived; of private ones the user's own, unless for an administrator. */
export const channelsOf = (teamId: string, isOfAdmin: boolean) =>
  queryOptions({
    queryKey: ['teams', teamId, 'channels', { isOfAdmin }],
    queryFn: async () => {
      const of = (query: { page: number; per_page: number }) => ({
        params: { path: { team_id: teamId }, query },
      });
      const lists = await Promise.all([
        allPages<Channel>((page) => answerOf(api.GET('/api/v4/teams/{team_id}/channels', of(page)))),
        isOfAdmin
          ? allPages<Channel>((page) =>
              answerOf(api.GET('/api/v4/teams/{team_id}/channels/private', of(page))),
            )
          : ownPrivate(teamId),
        allPages<Channel>((page) => answerOf(api.GET('/api/v4/teams/{team_id}/channels/deleted', of(page)))),
      ]);
      return lists.flat();
    },
  });

const ownPrivate = async (teamId: string): Promise<readonly Channel[]> =>
  (await queries.fetchQuery(myChannels(teamId))).filter(({ type }) => type === 'P');

/** An account with its membership of a team. */
export interface Member {
  readonly user: Schemas['UserDto'];
  /** Undefined: it has just left. */
  readonly membership: Schemas['TeamMemberDto'] | undefined;
}

/** The members of a team, by name. */
export const membersOf = (teamId: string) =>
  infiniteQueryOptions({
    queryKey: ['teams', teamId, 'members'],
    queryFn: async ({ pageParam: page }): Promise<readonly Member[]> => {
      const query = { in_team: teamId, page, per_page: PAGE };
      const users = await answerOf(api.GET('/api/v4/users', { params: { query } }));
      if (users.length === 0) return [];
      const memberships = await answerOf(
        api.POST('/api/v4/teams/{team_id}/members/ids', {
          params: { path: { team_id: teamId } },
          body: users.map(({ id }) => id),
        }),
      );
      const byUser = new Map(memberships.map((one) => [one.user_id, one]));
      return users.map((user) => ({ user, membership: byUser.get(user.id) }));
    },
    initialPageParam: 0,
    getNextPageParam: (last, _all, page) => (last.length < PAGE ? undefined : page + 1),
    ...following(),
  });

/** Accounts of other servers are found, too, but can be in no team. */
const MAX_FOUND = 100;
const MAX_STRANGERS = 10;

/** The first of those who are not in a team, may be, and whose names begin with a term. */
export const strangersTo = (teamId: string, term: string) =>
  queryOptions({
    queryKey: ['teams', teamId, 'strangers', term],
    queryFn: async () => {
      const body = { term, not_in_team_id: teamId, limit: MAX_FOUND };
      const found = await answerOf(api.POST('/api/v4/users/search', { body }));
      return found.filter(({ remote_id: remoteId }) => !remoteId).slice(0, MAX_STRANGERS);
    },
    enabled: term !== '',
  });
