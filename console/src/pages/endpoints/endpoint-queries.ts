import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { live, queries } from '../../app/services';
import { type Status, STATUS_OF } from '../../parts/statuses';

export type Endpoint = Schemas['EndpointDto'];
export type EndpointDetail = Schemas['EndpointDetailDto'];
export type EndpointHook = Schemas['EndpointHookDto'];
export type Limits = Schemas['EndpointLimitsDto'];
type State = Endpoint['state'];

/** States offered as filters. */
export const STATES = ['disabled', 'failing', 'ok'] as const satisfies readonly State[];

const PAGE = 60;
const REFRESH_MS = 10_000;

/** The endpoints that webhooks call; those that need attention come first. */
export const endpoints = (state: string | undefined, term: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['endpoints', 'list', state, term],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/api/v4/hooks/outgoing/endpoints', {
          params: {
            query: {
              page: pageParam,
              per_page: PAGE,
              ...(STATES.includes(state as State) && { state: state as State }),
              ...(term !== undefined && { term }),
            },
          },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ endpoints: last }, _, page) => (last.length === PAGE ? page + 1 : undefined),
    ...following(REFRESH_MS),
  });

export const endpoint = (name: string) =>
  queryOptions({
    queryKey: ['endpoints', 'one', name],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/hooks/outgoing/endpoints/details', { params: { query: { endpoint: name } } }),
      ),
    refetchInterval: 3_000,
    staleTime: 3_000,
  });

/** Refetches endpoints when one is disabled or a webhook is switched on or off. */
export function useEndpointNews(): void {
  useEffect(
    () =>
      live.listen(({ event }) => {
        if (event === 'endpoint_disabled' || event.startsWith('outgoing_hook_'))
          void queries.invalidateQueries({ queryKey: ['endpoints'] });
      }),
    [],
  );
}

/** State of an endpoint, or of a webhook's calls to it. */
export const standingOfEndpoint = ({ state }: { readonly state: State }): Status => STATUS_OF.endpoint[state];

/** Plain-language reasons for an endpoint's bad state; empty if it is fine. */
export function whyOf(found: Endpoint): string {
  const { failing_url_count: failing, disabled_url_count: disabled, url_count: all, reason } = found;
  const parts = [
    disabled > 0 && `${disabled} of ${urls(all)} disabled`,
    failing > 0 && `${failing} of ${urls(all)} failing`,
  ].filter((part) => part !== false);
  return [parts.join(', '), reason].filter((part) => part !== '').join('. ');
}

const urls = (count: number): string => (count === 1 ? '1 URL' : `${count} URLs`);
