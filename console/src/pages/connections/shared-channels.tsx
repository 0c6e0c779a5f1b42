import { Button } from '@mantine/core';
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { following } from '../../api/following';
import { queries } from '../../app/services';
import { Badge, type Tone } from '../../parts/badge';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { formatDuration } from '../../parts/time';
import { Modal } from '../../parts/modal';
import { Table } from '../../parts/table';
import { ShareChannel } from './share-channel';

type Shared = Schemas['SharedChannelRemoteDto'];

const TONES: Readonly<Record<string, Tone>> = {
  accepted: 'good',
  pending: 'quiet',
  failed: 'bad',
  ended: 'quiet',
};

const PAGE = 60;

const sharedWith = (remoteId: string) =>
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
    ...following(5_000),
  });

/** Channels shared with a server, and how far behind it is in each. */
export function SharedChannels({ remoteId }: { readonly remoteId: string }): ReactNode {
  const [open, setOpen] = useState<'share' | Shared | null>(null);
  const close = (): void => setOpen(null);
  const query = useInfiniteQuery(sharedWith(remoteId));
  return (
    <>
      <div className="section-head">
        <h2>Shared channels</h2>
        <Button variant="default" size="xs" onClick={() => setOpen('share')}>
          Share a channel
        </Button>
      </div>
      <Loaded query={query}>
        {({ pages }) =>
          pages.flat().length === 0 ? (
            <p className="empty">No channels are shared with this server.</p>
          ) : (
            <>
              <Table heads={['Channel', 'Invite', 'Waiting', 'For', '']}>
                {pages.flat().map((channel) => (
                  <SharedChannel key={channel.id} shared={channel} onStop={() => setOpen(channel)} />
                ))}
              </Table>
              <More query={query} />
            </>
          )
        }
      </Loaded>
      <Modal title="Share a channel" isOpen={open === 'share'} onClose={close}>
        <ShareChannel remoteId={remoteId} onShared={close} />
      </Modal>
      <Modal title="Stop sharing?" isOpen={open !== null && open !== 'share'} onClose={close}>
        {open !== null && open !== 'share' && <StopSharing shared={open} onStopped={close} />}
      </Modal>
    </>
  );
}

const channelOf = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId],
    queryFn: () =>
      answerOf(api.GET('/api/v4/channels/{channel_id}', { params: { path: { channel_id: channelId } } })),
    staleTime: 60_000,
  });

interface StopSharingProps {
  readonly shared: Shared;
  readonly onStopped: () => void;
}

function StopSharing({ shared, onStopped }: StopSharingProps): ReactNode {
  const { data: channel } = useQuery(channelOf(shared.channel_id));
  const path = { remote_id: shared.remote_id, channel_id: shared.channel_id };
  const stop = async (): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/remotecluster/{remote_id}/channels/{channel_id}/uninvite', { params: { path } }),
    );
    await queries.invalidateQueries({ queryKey: ['connections', shared.remote_id, 'channels'] });
    onStopped();
  };
  return (
    <Form action="Stop sharing" onSubmit={stop} isDangerous>
      <p>
        New messages in <b>{channel?.display_name ?? 'the channel'}</b> are no longer exchanged with the other
        server. Shared messages stay on both.
      </p>
    </Form>
  );
}

interface SharedChannelProps {
  readonly shared: Shared;
  readonly onStop: () => void;
}

function SharedChannel({ shared, onStop }: SharedChannelProps): ReactNode {
  const channel = useQuery(channelOf(shared.channel_id));
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
      <td>{shared.pending_count > 0 ? formatDuration(shared.oldest_pending_seconds * 1_000) : ''}</td>
      <td>
        <Button variant="default" size="compact-xs" c="red" onClick={onStop}>
          Stop sharing
        </Button>
      </td>
    </tr>
  );
}
