import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Badge, type Tone } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';

type Shared = Schemas['SharedChannelRemoteDto'];

const TONES: Readonly<Record<string, Tone>> = {
  accepted: 'good',
  pending: 'quiet',
  failed: 'bad',
  ended: 'quiet',
};

/** The channels that are shared with a server, and how far it is behind in each. */
export function SharedChannels({ remoteId }: { readonly remoteId: string }): ReactNode {
  const query = useQuery({
    queryKey: ['connections', remoteId, 'channels'],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/remotecluster/{remote_id}/sharedchannelremotes', {
          params: { path: { remote_id: remoteId } },
        }),
      ),
    refetchInterval: 5_000,
  });
  return (
    <Loaded query={query}>
      {(channels) =>
        channels.length === 0 ? (
          <p className="empty">No channel is shared with this server.</p>
        ) : (
          <div className="table">
            <table>
              <thead>
                <tr>
                  <th>Channel</th>
                  <th>Invite</th>
                  <th>Waiting</th>
                  <th>For</th>
                </tr>
              </thead>
              <tbody>
                {channels.map((channel) => (
                  <SharedChannel key={channel.id} shared={channel} />
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Loaded>
  );
}

function SharedChannel({ shared }: { readonly shared: Shared }): ReactNode {
  const channel = useQuery({
    queryKey: ['channel', shared.channel_id],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/channels/{channel_id}', { params: { path: { channel_id: shared.channel_id } } }),
      ),
    staleTime: 60_000,
  });
  return (
    <tr>
      <td>{channel.data?.display_name ?? <code>{shared.channel_id}</code>}</td>
      <td>
        <Badge tone={TONES[shared.invite_state] ?? 'quiet'}>{shared.invite_state}</Badge>{' '}
        {shared.invite_error}
      </td>
      <td>
        {shared.pending_count}
        {shared.pending_is_cut && ' or more'}{' '}
        {shared.pending_error && <Badge tone="bad">{shared.pending_error}</Badge>}
      </td>
      <td>{shared.pending_count > 0 ? `${shared.oldest_pending_seconds} s` : ''}</td>
    </tr>
  );
}
