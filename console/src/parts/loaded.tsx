import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultNote } from './fault-note';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** What a query has read, or that it is on its way, or why it cannot be shown. */
export function Loaded<T>({ query, children }: LoadedProps<T>): ReactNode {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && <FaultNote error={query.error} />}
        {children(query.data)}
      </>
    );
  if (query.isError)
    return (
      <div className="empty">
        <FaultNote error={query.error} />
        <button onClick={() => void query.refetch()}>Try again</button>
      </div>
    );
  if (query.fetchStatus === 'idle') return <p className="empty">You are in no team yet.</p>;
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}
