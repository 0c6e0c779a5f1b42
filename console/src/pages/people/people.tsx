import { Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { type Column, DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { FaultNote } from '../../parts/fault-note';
import { More } from '../../parts/more';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import { people, type Person, roleOf, stateOf } from './people-queries';

const COLUMNS: readonly Column<Person>[] = [
  {
    title: 'Name',
    cell: (user) => (
      <>
        <Link to="/people/$userId" params={{ userId: user.id }}>
          {user.username}
        </Link>
        <Text size="xs" c="dimmed">
          {[user.first_name, user.last_name].join(' ').trim()}
        </Text>
      </>
    ),
  },
  { title: 'Email', cell: ({ email }) => email },
  { title: 'Role', cell: (user) => (user.is_bot ? <Badge tone="quiet">bot</Badge> : roleOf(user)) },
  {
    title: 'State',
    onPhone: 'corner',
    cell: ({ delete_at: at }) => <Badge tone={stateOf(at).tone}>{stateOf(at).text}</Badge>,
  },
  { title: 'Created', cell: ({ create_at: at }) => <Time at={at} /> },
];

/** User accounts. Bots have a separate list, but search finds them here too. */
export function People({ term }: { readonly term: string }): ReactNode {
  const settled = useSettled(term);
  const query = useInfiniteQuery({ ...people(settled), placeholderData: keepPreviousData });
  const rows = query.data?.pages.flat().filter(({ is_bot: isBot }) => !isBot || settled !== '');
  const isEnd = rows?.length !== 0 || !query.hasNextPage;
  return (
    <>
      {query.error && <FaultNote error={query.error} />}
      {(rows || !query.error) && (
        <DataTable
          label="People"
          columns={COLUMNS}
          rows={isEnd ? rows : undefined}
          keyOf={({ id }) => id}
          empty={<Empty text="No people or bots match." />}
        />
      )}
      <More query={query} />
    </>
  );
}
