import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client';
import { LiveStream } from '../api/live';

const isWorthRetrying = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** The server may be on this machine, or on a network that leads nowhere else. */
const ALWAYS = 'always';

/** What pages have read; they show it at once and read it again. */
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
