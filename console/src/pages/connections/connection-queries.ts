import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from '../../api/client';
import type { Tone } from '../../parts/badge';

export type Connection = Schemas['RemoteClusterDto'];

/** A server that has not been heard of for so long is offline. */
const OFFLINE_AFTER_MS = 5 * 60_000;
const UNCONFIRMED = /^pending_/;

export const connections = queryOptions({
  queryKey: ['connections'],
  queryFn: () => answerOf(api.GET('/api/v4/remotecluster', { params: { query: { per_page: 200 } } })),
  refetchInterval: 5_000,
});

/** How a connection stands: its invite is not accepted yet, its server answers, or does not. */
export function standingOfPeer({ site_url: url, last_ping_at: at }: Connection): {
  readonly tone: Tone;
  readonly text: string;
} {
  if (url === '' || UNCONFIRMED.test(url)) return { tone: 'quiet', text: 'waiting for the other server' };
  if (Date.now() - at > OFFLINE_AFTER_MS) return { tone: 'bad', text: 'offline' };
  return { tone: 'good', text: 'online' };
}
