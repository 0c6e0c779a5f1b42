import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';
import { isAdmin, useUser } from '../app/session';

const ownMembership = (teamId: string, userId: string) =>
  queryOptions({
    queryKey: ['teams', teamId, 'members', userId],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/teams/{team_id}/members/{user_id}', {
          params: { path: { team_id: teamId, user_id: userId } },
        }),
      ),
  });

/** Whether the user administers a team, by a team role or as a system administrator. */
export function useIsTeamAdmin(teamId: string): boolean {
  const user = useUser();
  const isOfServer = isAdmin(user);
  const { data } = useQuery({ ...ownMembership(teamId, user.id), enabled: teamId !== '' && !isOfServer });
  return isOfServer || (data?.scheme_admin ?? false);
}
