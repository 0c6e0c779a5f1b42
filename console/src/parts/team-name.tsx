import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { myTeams } from './team-picker';

/** Team name after a list title, if the user has several teams. */
export function TeamName({ teamId }: { readonly teamId: string }): ReactNode {
  const { data: teams = [] } = useQuery(myTeams);
  const found = teams.length > 1 ? teams.find(({ id }) => id === teamId) : undefined;
  return found && <> · {found.display_name}</>;
}
