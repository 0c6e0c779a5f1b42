import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';

/** Reads again what a page shows, but for what somebody has stopped, or has scrolled through: it stays under their eyes. */
export function readAgain(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({ predicate: (query) => !isKept(query) });
}

/** What is not read again when one comes back to the window, and lists of which more than the first page was read. */
function isKept(query: Query): boolean {
  if (((query.state.data as Partial<InfiniteData<unknown>> | undefined)?.pages?.length ?? 0) > 1) return true;
  return query.observers.some(({ options: { refetchOnWindowFocus: wanted } }) => {
    return (typeof wanted === 'function' ? wanted(query) : wanted) === false;
  });
}
