import { queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import { live, queries } from '../../app/services';
import { type Status, STATUS_OF } from '../../parts/statuses';

export type Connection = Schemas['RemoteClusterDto'];

export const connections = queryOptions({
  queryKey: ['connections'],
  queryFn: () => allPages((query) => answerOf(api.GET('/api/v4/remotecluster', { params: { query } }))),
  refetchInterval: 5_000,
});

export const connection = (remoteId: string) =>
  queryOptions({
    queryKey: ['connections', remoteId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/remotecluster/{remote_id}', { params: { path: { remote_id: remoteId } } })),
    refetchInterval: 5_000,
  });

/** Checks a connection by pinging the other server once. */
export const check = (remoteId: string) =>
  queryOptions({
    queryKey: ['checks', remoteId],
    queryFn: () =>
      answerOf(
        api.POST('/api/v4/remotecluster/{remote_id}/check', { params: { path: { remote_id: remoteId } } }),
      ),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });

/** Refetches connections when the server reports a change. */
export function useLiveConnections(): void {
  useEffect(
    () =>
      live.listen(({ event }) => {
        if (event.startsWith('remote_cluster')) void queries.invalidateQueries({ queryKey: ['connections'] });
      }),
    [],
  );
}

/** State of a connection: invite pending, online or offline. */
export function standingOfPeer({
  standing,
  invite_expires_at: expiresAt,
}: Pick<Connection, 'standing' | 'invite_expires_at'>): Status {
  return STATUS_OF.connection[standing === 'invited' && expiresAt < Date.now() ? 'expired' : standing];
}
