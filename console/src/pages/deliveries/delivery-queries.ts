import { type InfiniteData, infiniteQueryOptions, type Query, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import type { Tone } from '../../parts/badge';

export type Delivery = Schemas['DeliveryDto'];
export type DeliveryDetail = Schemas['DeliveryDetailDto'];
export type Attempt = Schemas['DeliveryAttemptDto'];

/** The statuses by which lists are filtered. */
export const STATUSES = [
  ...(['pending', 'in_flight', 'delivered', 'failed', 'cancelled'] as const),
] satisfies readonly Delivery['status'][];
/** The classes of error of a call. */
export const ERRORS = [
  ...['bad_url', 'refused_address', 'dns', 'connect', 'tls'],
  ...['timeout', 'reset', 'protocol', 'decoding', 'unprepared'],
];

/** How a delivery stands. */
export const TONES: Readonly<Record<string, Tone>> = {
  pending: 'quiet',
  in_flight: 'warning',
  delivered: 'good',
  failed: 'bad',
  cancelled: 'quiet',
};

const PAGE = 60;

/** The first page follows what happens; who has scrolled on keeps what there was. */
const whileOnFirstPage = ({ state }: Query<never, Error, InfiniteData<unknown>>): number | false =>
  (state.data?.pages.length ?? 0) > 1 ? false : 5_000;

/** What a webhook sent, newest first. */
export const deliveriesOf = (hookId: string, status: string) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', hookId, status],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/api/v4/hooks/outgoing/{hook_id}/deliveries', {
          params: { path: { hook_id: hookId }, query: given({ per_page: PAGE, status, cursor: pageParam }) },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    refetchInterval: (query) => whileOnFirstPage(query as never),
  });

/** The filters of the list of all deliveries, as they stand in the address. */
export interface Filters {
  readonly hook?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly status?: string | undefined;
  readonly error?: string | undefined;
  readonly http?: string | undefined;
  readonly within?: string | undefined;
}

/** The times that can be looked back, in milliseconds. */
export const SPANS: Readonly<Record<string, number>> = {
  'an hour': 3_600_000,
  'a day': 86_400_000,
  'a week': 604_800_000,
};

/** What all webhooks sent, newest first. */
export const allDeliveries = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', 'all', filters],
    queryFn: ({ pageParam }) => {
      const span = SPANS[filters.within ?? ''];
      const query = given({
        per_page: PAGE,
        hook_id: filters.hook,
        endpoint: filters.endpoint,
        status: filters.status,
        error: filters.error,
        http_status: filters.http,
        since: span === undefined ? undefined : Date.now() - span,
        cursor: pageParam,
      });
      return answerOf(api.GET('/api/v4/hooks/outgoing/deliveries', { params: { query: query as never } }));
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    refetchInterval: (query) => whileOnFirstPage(query as never),
  });

export const delivery = (hookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', deliveryId],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}', {
          params: { path: { hook_id: hookId, delivery_id: deliveryId } },
        }),
      ),
    refetchInterval: 3_000,
  });

/** How the calls of the last day went: those of a webhook, or all. */
export const lastDay = (hookId?: string) =>
  queryOptions({
    queryKey: ['deliveries', 'stats', hookId],
    queryFn: () =>
      answerOf(
        hookId === undefined
          ? api.GET('/api/v4/hooks/outgoing/deliveries/stats', { params: { query: { range: '24h' } } })
          : api.GET('/api/v4/hooks/outgoing/{hook_id}/stats', {
              params: { path: { hook_id: hookId }, query: { range: '24h' } },
            }),
      ),
    refetchInterval: 30_000,
  });

/** Without what was not given. */
function given<T extends object>(query: T): T {
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  ) as T;
}
