import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { teamsRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { DialogButton } from '../../parts/dialog-button';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { PageHead } from '../../parts/page-head';
import { SearchField } from '../../parts/search-field';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import { TeamForm } from './team-form';
import { type Team, teams } from './team-queries';

/** All teams of the server. */
export function TeamsPage(): ReactNode {
  const { search = '' } = teamsRoute.useSearch();
  const navigate = useNavigate();
  const query = useInfiniteQuery({ ...teams(useSettled(search)), placeholderData: keepPreviousData });
  return (
    <>
      <PageHead title="Teams">
        <SearchField
          label="Search teams"
          value={search}
          onSearch={(text) =>
            void navigate({ to: '/teams', search: { search: text }, replace: search !== '' })
          }
        />
        <DialogButton label="Add a team" title="Add a team" kind="primary">
          {() => (
            <TeamForm onSaved={({ id }) => void navigate({ to: '/teams/$teamId', params: { teamId: id } })} />
          )}
        </DialogButton>
      </PageHead>
      <Loaded query={query}>
        {({ pages }) =>
          pages.flat().length === 0 ? (
            <p className="empty">No teams match.</p>
          ) : (
            <>
              <TeamTable teams={pages.flat()} />
              <More query={query} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function TeamTable({ teams: found }: { readonly teams: readonly Team[] }): ReactNode {
  return (
    <Table heads={['Team', 'Address', 'State', 'Created']}>
      {found.map((team) => (
        <tr key={team.id}>
          <td>
            <Link to="/teams/$teamId" params={{ teamId: team.id }}>
              {team.display_name}
            </Link>
            <div className="muted">{team.description}</div>
          </td>
          <td>
            <code>{team.name}</code>
          </td>
          <td>
            <Badge tone={team.delete_at > 0 ? 'quiet' : 'good'}>
              {team.delete_at > 0 ? 'archived' : 'active'}
            </Badge>
          </td>
          <td>
            <Time at={team.create_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
