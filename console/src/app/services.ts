import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client';
import { LiveStream } from '../api/live';

const isWorthRetrying = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** Ignore the browser's offline state: the server may be on this machine or on an isolated network. */
const ALWAYS = 'always';

/** Query cache: pages show cached data at once and refetch it. */
export const queries = new QueryClient({
  queryCache: new QueryCache(),
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (count, error) => count < 2 && isWorthRetrying(error),
      networkMode: ALWAYS,
    },
    mutations: { networkMode: ALWAYS },
  },
});

export const live = new LiveStream(queries);
