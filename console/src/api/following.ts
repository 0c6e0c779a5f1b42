import type { InfiniteData, Query } from '@tanstack/react-query';

const isOnFirstPage = ({ state }: Query<never, Error, InfiniteData<unknown>>): boolean =>
  (state.data?.pages.length ?? 0) <= 1;

/**
 * How a list of pages follows what happens: the first page is read again after `everyMs` milliseconds, and when one comes back to
 * the window. Who has gone further back keeps what there was: all pages would be read again.
 */
export const following = (everyMs?: number) =>
  ({
    refetchInterval: (query: unknown) =>
      everyMs !== undefined && isOnFirstPage(query as never) ? everyMs : false,
    refetchOnWindowFocus: (query: unknown) => isOnFirstPage(query as never),
  }) as const;
