import { IconArchive } from '@tabler/icons-react';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { queries } from '../../app/services';
import type { Status } from '../../parts/statuses';
import { myChannels } from '../../parts/team-picker';

export type Team = Schemas['TeamDto'];
export type Channel = Schemas['ChannelDto'];

const PAGE = 60;

export const ARCHIVED: Status = { tone: 'warning', text: 'Archived', icon: IconArchive };

/** All teams, or those whose names contain the term. */
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

export const teamStats = (teamId: string) =>
  queryOptions({
    queryKey: ['teams', teamId, 'stats'],
    queryFn: () =>
      answerOf(api.GET('/api/v4/teams/{team_id}/stats', { params: { path: { team_id: teamId } } })),
  });

/** Public, private and archived channels of a team; non-administrators see only their private ones. */
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
