import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../api/client';
import { useTeam } from '../parts/team-picker';
import { isAdmin, useUser } from './session';

const WEBHOOKS = 'manage_webhooks';

/** Permissions of a user in a team. */
const permissionsIn = (teamId: string, { id, roles }: Schemas['UserDto']) =>
  queryOptions({
    queryKey: ['teams', teamId, 'permissions', id],
    queryFn: async () => {
      const path = { team_id: teamId, user_id: id };
      const member = await answerOf(
        api.GET('/api/v4/teams/{team_id}/members/{user_id}', { params: { path } }),
      );
      const names = `${roles} ${member.roles}`.split(' ').filter(Boolean);
      const found = await answerOf(api.POST('/api/v4/roles/names', { body: names }));
      return found.flatMap(({ permissions }) => permissions);
    },
    staleTime: 60_000,
  });

interface Rights {
  readonly isAdmin: boolean;
  /** False while the permissions are loading. */
  readonly isKnown: boolean;
  /** Whether the user may manage webhooks of the selected team. */
  readonly mayManageWebhooks: boolean;
}

/** What the user may do, as far as the navigation depends on it. */
export function useRights(): Rights {
  const user = useUser();
  const [teamId] = useTeam();
  const isOfAdmin = isAdmin(user);
  const enabled = teamId !== '' && !isOfAdmin;
  const { data = [], isLoading } = useQuery({ ...permissionsIn(teamId, user), enabled });
  return { isAdmin: isOfAdmin, isKnown: !isLoading, mayManageWebhooks: isOfAdmin || data.includes(WEBHOOKS) };
}
