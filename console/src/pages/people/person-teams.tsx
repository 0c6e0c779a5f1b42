import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { membershipsOf, teamsOf } from './people-queries';

/** Teams of an account, and where it is a team administrator. */
export function PersonTeams({ userId }: { readonly userId: string }): ReactNode {
  const query = useQuery(teamsOf(userId));
  const { data: memberships = [] } = useQuery(membershipsOf(userId));
  const administered = new Set(
    memberships.filter(({ scheme_admin: isAdmin }) => isAdmin).map(({ team_id: id }) => id),
  );
  return (
    <section aria-label="Teams">
      <h2>Teams</h2>
      <Loaded query={query}>
        {(teams) =>
          teams.length === 0 ? (
            <p className="muted">None. An administrator can add the account on the page of a team.</p>
          ) : (
            <ul className="plain-list inline">
              {teams.map((team) => (
                <li key={team.id}>
                  <Link to="/teams/$teamId" params={{ teamId: team.id }}>
                    {team.display_name}
                  </Link>{' '}
                  {administered.has(team.id) && <Badge tone="quiet">administrator</Badge>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
