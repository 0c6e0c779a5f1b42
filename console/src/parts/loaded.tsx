import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
  readonly children: (data: T) => ReactNode;
}

/** Renders the data of a query, a loading note, or its error. */
export function Loaded<T>({ query, gone, children }: LoadedProps<T>): ReactNode {
  if (query.error && gone !== undefined && isGone(query.error)) return gone;
  if (query.data !== undefined)
    return (
      <>
        {query.error && <FaultNote error={query.error} />}
        {children(query.data)}
      </>
    );
  if (query.error)
    return (
      <div className="empty">
        <FaultNote error={query.error} />
        <button onClick={() => void query.refetch()}>Try again</button>
      </div>
    );
  return query.fetchStatus === 'idle' ? <Teamless /> : <Loading />;
}

/** Idle queries wait for a team: teams are loading, have failed to load, or there are none. */
function Teamless(): ReactNode {
  const teams = useQuery(myTeams);
  if (teams.isPending && teams.fetchStatus === 'idle') return <Loading />;
  return (
    <Loaded query={teams}>
      {({ length }) => (length === 0 ? <p className="empty">You are not in a team yet.</p> : <Loading />)}
    </Loaded>
  );
}
