import type { InfiniteData, Query } from '@tanstack/react-query';

const isOnFirstPage = ({ state }: Query<never, Error, InfiniteData<unknown>>): boolean =>
  (state.data?.pages.length ?? 0) <= 1;

/**
 * Keeps a paged list up to date: refetches the first page every `everyMs` milliseconds and on window focus.
 * Once the user has loaded more pages, nothing is refetched, because that would reload all of them.
 */
export const following = (everyMs?: number) =>
  ({
    refetchInterval: (query: unknown) =>
      everyMs !== undefined && isOnFirstPage(query as never) ? everyMs : false,
    refetchOnWindowFocus: (query: unknown) => isOnFirstPage(query as never),
  }) as const;
