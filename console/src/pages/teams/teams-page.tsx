import { Code } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { teamsRoute } from '../../app/router';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Empty } from '../../parts/empty';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { PageHead } from '../../parts/page-head';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import type { Status } from '../../parts/statuses';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import { NameCell, NameLink } from '../people/parts';
import { TeamForm } from './team-forms';
import { ARCHIVED, type Team, teams } from './team-queries';

const ACTIVE: Status = { tone: 'good', text: 'Active' };

const COLUMNS: readonly Column<Team>[] = [
  {
    title: 'Team',
    cell: ({ id, display_name: name, description }) => (
      <NameCell name={name} note={description}>
        <NameLink to="/teams/$teamId" params={{ teamId: id }}>
          {name}
        </NameLink>
      </NameCell>
    ),
  },
  { title: 'In URLs', width: 240, cell: ({ name }) => <Code>{name}</Code> },
  {
    ...{ title: 'Who may join', width: 160 },
    cell: ({ allow_open_invite: isOpen }) => (isOpen ? 'Anyone' : 'Invited people'),
  },
  {
    ...{ title: 'State', width: 130, onPhone: 'corner' },
    cell: ({ delete_at: at }) => <StatusBadge status={at > 0 ? ARCHIVED : ACTIVE} />,
  },
  { title: 'Created', width: 110, onPhone: 'hidden', cell: ({ create_at: at }) => <Time at={at} /> },
];

/** All teams of the server. */
export function TeamsPage(): ReactNode {
  const { search = '' } = teamsRoute.useSearch();
  const navigate = useNavigate();
  const query = useInfiniteQuery({ ...teams(useSettled(search)), placeholderData: keepPreviousData });
  const open = ({ id: teamId }: Team): void => void navigate({ to: '/teams/$teamId', params: { teamId } });
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
          {() => <TeamForm onSaved={open} />}
        </DialogButton>
      </PageHead>
      <Loaded query={query}>
        {({ pages }) => (
          <>
            <DataTable
              label="Teams"
              columns={COLUMNS}
              rows={pages.flat()}
              keyOf={({ id }) => id}
              onOpen={open}
              empty={<Empty icon={IconBuilding} text="No teams match this search." />}
            />
            <More query={query} />
          </>
        )}
      </Loaded>
    </>
  );
}
