import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';

/** Refetches what a page shows, except lists that the user has paused or scrolled through. */
export function readAgain(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: (query) => !isKept(query) });
}

/** Queries that do not refetch on window focus, and lists with more than one loaded page. */
function isKept(query: Query): boolean {
  if (((query.state.data as Partial<InfiniteData<unknown>> | undefined)?.pages?.length ?? 0) > 1) return true;
  return query.observers.some(({ options: { refetchOnWindowFocus: wanted } }) => {
    return (typeof wanted === 'function' ? wanted(query) : wanted) === false;
  });
}
