import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api, ApiError, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { type Filters, questionOf } from './filters';

export type Delivery = Schemas['DeliveryDto'];
export type DeliveryDetail = Schemas['DeliveryDetailDto'];
export type Attempt = Schemas['DeliveryAttemptDto'];

const PAGE = 100;
/** Maximum rows to load, which bounds what is kept and refetched. */
const MAX_ROWS = 5_000;

/** In the list of all webhooks, a delivery includes the name of its webhook. */
export type ListedDelivery = Delivery & { readonly hook_display_name?: string };

/** A page of a list. */
export interface DeliveryPage {
  readonly deliveries: readonly ListedDelivery[];
  readonly next_cursor: string;
}

/** Whether a list has reached its maximum length and more rows exist. */
export const isFull = (pages: readonly DeliveryPage[]): boolean =>
  pages.reduce((sum, { deliveries }) => sum + deliveries.length, 0) >= MAX_ROWS &&
  pages.at(-1)?.next_cursor !== '';

const nextOf = (last: DeliveryPage, pages: readonly DeliveryPage[]): string | undefined =>
  isFull(pages) ? undefined : last.next_cursor || undefined;

/** Source of a list: all webhooks or one, and the user's access. */
export interface Source {
  readonly filters: Filters;
  /** If undefined, deliveries of all webhooks, for administrators only. */
  readonly hookId?: string | undefined;
  readonly isOfAdmin: boolean;
}

/** Deliveries, newest first. Non-administrators can filter one webhook's by status and time only. */
export const deliveries = (source: Source) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', source.hookId ?? 'all', source.filters],
    queryFn: ({ pageParam }) => readPage(source, pageParam),
    initialPageParam: startOf(source),
    getNextPageParam: nextOf,
    ...following(5_000),
  });

/** The current first page of a list. */
export const newestDeliveries = (source: Source): Promise<DeliveryPage> => readPage(source, startOf(source));

/** Key of all counts of deliveries. */
export const COUNTS = ['deliveries', 'counts'] as const;
const MOST_COUNTED = 50;

/** Number of deliveries with a status, such as `7` or `50+`; empty if there are none. */
export const countWith = ({ hookId, isOfAdmin }: Source, status: string) =>
  queryOptions({
    queryKey: [...COUNTS, hookId ?? 'all', status],
    queryFn: async () => {
      const { deliveries: found, next_cursor: next } = await readPage(
        { filters: { status }, hookId, isOfAdmin },
        '',
        MOST_COUNTED,
      );
      return found.length === 0 ? '' : `${found.length}${next === '' ? '' : '+'}`;
    },
    staleTime: 5_000,
    refetchOnWindowFocus: false, // nor when the connection is back
    refetchOnReconnect: false,
  });

const startOf = ({ filters }: Source): string => filters.after ?? '';

function readPage(
  { filters, hookId, isOfAdmin }: Source,
  cursor: string,
  size = PAGE,
): Promise<DeliveryPage> {
  const page = given({ per_page: size, cursor });
  if (hookId === undefined) return readAll(filters, page);
  return isOfAdmin ? readAll({ ...filters, hook: hookId }, page) : readOne(hookId, filters, page);
}

function readAll(filters: Filters, page: object): Promise<Schemas['PlacedDeliveryListDto']> {
  const query = { ...questionOf(filters), ...page };
  return answerOf(api.GET('/api/v4/hooks/outgoing/deliveries', { params: { query: query as never } }));
}

function readOne(hookId: string, filters: Filters, page: object): Promise<Schemas['DeliveryListDto']> {
  const { status, since, before } = questionOf(filters);
  const query = { ...given({ status, since, before }), ...page };
  return answerOf(
    api.GET('/api/v4/hooks/outgoing/{hook_id}/deliveries', {
      params: { path: { hook_id: hookId }, query: query as never },
    }),
  );
}

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

/** Time when a message was posted; 0 if the user may not read it. */
export const postTime = (postId: string) =>
  queryOptions({
    queryKey: ['posts', 'time', postId],
    queryFn: async () => {
      const path = { post_id: postId };
      try {
        return (await answerOf(api.GET('/api/v4/posts/{post_id}', { params: { path } }))).create_at;
      } catch (error) {
        if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return 0;
        throw error;
      }
    },
    enabled: postId !== '',
    staleTime: Infinity,
  });

/** Last-day statistics of a webhook, or of all. */
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

/** Removes undefined and empty values. */
function given<T extends object>(query: T): T {
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  ) as T;
}
