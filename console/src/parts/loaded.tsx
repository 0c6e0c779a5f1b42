import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Empty } from './empty';
import { ErrorState } from './error-state';
import { FaultNote } from './fault-note';
import { isGone } from './gone';
import { Loading } from './loading';
import { myTeams } from './team-picker';

/** A query or an infinite query. */
interface Query<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly fetchStatus: string;
  readonly refetch: () => Promise<unknown>;
}

interface LoadedProps<T> {
  readonly query: Query<T>;
  /** Shown if the record does not exist. */
  readonly gone?: ReactNode;
  /** Shape of the placeholder. */
  readonly as?: ComponentProps<typeof Loading>['as'];
  readonly children: (data: T) => ReactNode;
}

/** Renders the data of a query, a placeholder, or its error. */
export function Loaded<T>({ query, gone, as = 'table', children }: LoadedProps<T>): ReactNode {
  if (query.error && gone !== undefined && isGone(query.error)) return gone;
  if (query.data !== undefined)
    return (
      <>
        {query.error && <FaultNote error={query.error} />}
        {children(query.data)}
      </>
    );
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return query.fetchStatus === 'idle' ? <Teamless /> : <Loading as={as} />;
}

/** Idle queries wait for a team: teams are loading, have failed to load, or there are none. */
function Teamless(): ReactNode {
  const teams = useQuery(myTeams);
  if (teams.isPending && teams.fetchStatus === 'idle') return <Loading />;
  return (
    <Loaded query={teams}>
      {({ length }) =>
        length === 0 ? <Empty icon={IconUsersGroup} text="You are not in a team yet." /> : <Loading />
      }
    </Loaded>
  );
}
