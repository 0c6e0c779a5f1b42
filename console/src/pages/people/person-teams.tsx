import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../../parts/loaded';
import { teamsOf } from './people-queries';

/** The teams of an account. */
export function PersonTeams({ userId }: { readonly userId: string }): ReactNode {
  const query = useQuery(teamsOf(userId));
  return (
    <section aria-label="Teams">
      <h2>Teams</h2>
      <Loaded query={query}>
        {(teams) =>
          teams.length === 0 ? (
            <p className="muted">None. Add the account on the page of a team.</p>
          ) : (
            <ul className="plain-list inline">
              {teams.map((team) => (
                <li key={team.id}>
                  <Link to="/teams/$teamId" params={{ teamId: team.id }}>
                    {team.display_name}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
