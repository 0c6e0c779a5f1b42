import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';

/** How many endpoints are named where there is room for few. */
export const SHOWN_ENDPOINTS = 6;

/** The endpoints that need somebody first, and how many of all do. */
export const worstEndpoints = queryOptions({
  queryKey: ['endpoints', 'worst'],
  queryFn: () =>
    answerOf(
      api.GET('/api/v4/hooks/outgoing/endpoints', { params: { query: { per_page: SHOWN_ENDPOINTS } } }),
    ),
  refetchInterval: 10_000,
});
