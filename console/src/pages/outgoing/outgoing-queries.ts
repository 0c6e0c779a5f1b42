import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import type { Tone } from '../../parts/badge';

export type OutgoingHook = Schemas['OutgoingHookDto'];
export type Delivery = Schemas['DeliveryDto'];
export type DeliveryDetail = Schemas['DeliveryDetailDto'];
export type Attempt = Schemas['DeliveryAttemptDto'];

/** The outgoing webhooks of a team that the user may see. */
export const outgoingHooks = (teamId: string) =>
  queryOptions({
    queryKey: ['outgoing', { teamId }],
    queryFn: () =>
      answerOf(api.GET('/api/v4/hooks/outgoing', { params: { query: { team_id: teamId, per_page: 200 } } })),
    enabled: teamId !== '',
    refetchInterval: 10_000,
  });

export const outgoingHook = (hookId: string) =>
  queryOptions({
    queryKey: ['outgoing', hookId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/hooks/outgoing/{hook_id}', { params: { path: { hook_id: hookId } } })),
    refetchInterval: 10_000,
  });

/** What was sent, newest first. */
export const deliveries = (hookId: string, status: string) =>
  infiniteQueryOptions({
    queryKey: ['outgoing', hookId, 'deliveries', status],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/api/v4/hooks/outgoing/{hook_id}/deliveries', {
          params: {
            path: { hook_id: hookId },
            query: {
              per_page: 60,
              ...(status === '' ? {} : { status: status as Delivery['status'] }),
              ...(pageParam === '' ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next || undefined,
    refetchInterval: 5_000,
  });

export const delivery = (hookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['outgoing', hookId, 'delivery', deliveryId],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}', {
          params: { path: { hook_id: hookId, delivery_id: deliveryId } },
        }),
      ),
    refetchInterval: 3_000,
  });

/** How a delivery stands. */
export const TONES: Readonly<Record<string, Tone>> = {
  pending: 'quiet',
  retrying: 'warning',
  delivered: 'good',
  failed: 'bad',
  cancelled: 'quiet',
};

/** How a webhook stands, in a word or two. */
export function standingOf(hook: OutgoingHook): { readonly tone: Tone; readonly text: string } {
  if (hook.disabled_at > 0) return { tone: 'bad', text: 'disabled' };
  if (hook.paused_reason !== '') return { tone: 'warning', text: 'paused' };
  if (hook.secrets_unreadable) return { tone: 'bad', text: 'secret unreadable' };
  if (hook.disabled_urls.length > 0) return { tone: 'warning', text: 'an address has failed' };
  return { tone: 'good', text: 'active' };
}
