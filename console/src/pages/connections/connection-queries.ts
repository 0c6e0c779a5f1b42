import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import { allPages } from '../../api/all-pages';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { live, queries } from '../../app/services';
import { type Status, STATUS_OF } from '../../parts/statuses';

export type Connection = Schemas['RemoteClusterDto'];
export type Shared = Schemas['SharedChannelRemoteDto'];
export type PeerState = keyof typeof STATUS_OF.connection;

const REFRESH_MS = 5_000;
const PAGE = 60;

export const connections = queryOptions({
  queryKey: ['connections'],
  queryFn: () => allPages((query) => answerOf(api.GET('/api/v4/remotecluster', { params: { query } }))),
  refetchInterval: REFRESH_MS,
});

export const connection = (remoteId: string) =>
  queryOptions({
    queryKey: ['connections', remoteId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/remotecluster/{remote_id}', { params: { path: { remote_id: remoteId } } })),
    refetchInterval: REFRESH_MS,
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

/** Channels shared with a server, and what waits for it in each. */
export const sharedWith = (remoteId: string) =>
  infiniteQueryOptions({
    queryKey: ['connections', remoteId, 'channels'],
    queryFn: ({ pageParam: page }) =>
      answerOf(
        api.GET('/api/v4/remotecluster/{remote_id}/sharedchannelremotes', {
          params: { path: { remote_id: remoteId }, query: { page, per_page: PAGE } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, _all, page) => (last.length < PAGE ? undefined : page + 1),
    select: ({ pages }) => pages.flat(),
    ...following(REFRESH_MS),
  });

export const channelOf = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/channels/{channel_id}', { params: { path: { channel_id: channelId } } })),
    staleTime: 60_000,
  });

export const refreshConnections = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['connections'] });

/** Refetches connections when the server reports a change. */
export function useLiveConnections(): void {
  useEffect(
    () =>
      live.listen(({ event }) => {
        if (event.startsWith('remote_cluster')) void refreshConnections();
      }),
    [],
  );
}

type Standing = Pick<Connection, 'standing' | 'invite_expires_at'>;

/** State of a connection: invited, invite expired, online, offline or ended. */
export const stateOf = ({ standing, invite_expires_at: expiresAt }: Standing): PeerState =>
  standing === 'invited' && expiresAt < Date.now() ? 'expired' : standing;

export const standingOfPeer = (peer: Standing): Status => STATUS_OF.connection[stateOf(peer)];

/** Whether the other server has accepted the invite. */
export const isConfirmed = ({ standing }: Connection): boolean =>
  standing === 'online' || standing === 'offline';
