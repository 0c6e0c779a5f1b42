import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';

/** Number of endpoints listed in a short list. */
export const SHOWN_ENDPOINTS = 6;

/** The endpoints that most need attention, and how many do in total. */
export const worstEndpoints = queryOptions({
  queryKey: ['endpoints', 'worst'],
  queryFn: () =>
    answerOf(
      api.GET('/api/v4/hooks/outgoing/endpoints', { params: { query: { per_page: SHOWN_ENDPOINTS } } }),
    ),
  refetchInterval: 10_000,
});
