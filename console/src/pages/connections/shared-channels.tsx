import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconHash, IconShare } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Badge, type Tone } from '../../parts/badge';
import { useConfirm } from '../../parts/confirm';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Empty } from '../../parts/empty';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { ChannelSelect, TeamPicker, useTeam } from '../../parts/team-picker';
import { formatDuration } from '../../parts/time';
import { channelOf, type Shared, sharedWith } from './connection-queries';

const STATES: Readonly<Record<Shared['invite_state'], readonly [Tone, string]>> = {
  accepted: ['good', 'Accepted'],
  pending: ['quiet', 'Pending'],
  failed: ['bad', 'Refused'],
  ended: ['quiet', 'Ended'],
};

const COLUMNS: readonly Column<Shared>[] = [
  { title: 'Channel', cell: ({ channel_id: id }) => <Channel id={id} /> },
  {
    title: 'Invite',
    onPhone: 'corner',
    cell: ({ invite_state: state, invite_error: error }) => (
      <Group gap="xs">
        <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>
        {error}
      </Group>
    ),
  },
  {
    title: 'Waiting',
    cell: ({ pending_count: count, pending_is_cut: isCut, pending_error: error }) => (
      <Group gap="xs">
        {count}
        {isCut && ' or more'}
        {error && <Badge tone="bad">{error}</Badge>}
      </Group>
    ),
  },
  {
    title: 'Oldest',
    isNumber: true,
    width: 140,
    cell: ({ pending_count: count, oldest_pending_seconds: seconds }) =>
      count > 0 ? formatDuration(seconds * 1_000) : '–',
  },
];

const refresh = (remoteId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['connections', remoteId, 'channels'] });

/** Channels shared with a server, and how far behind it is in each. */
export function SharedChannels({ remoteId }: { readonly remoteId: string }): ReactNode {
  const query = useInfiniteQuery(sharedWith(remoteId));
  const [dialog, ask] = useConfirm();
  const stop: Column<Shared> = {
    title: '',
    width: 130,
    cell: (shared) => (
      <Group justify="flex-end">
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => ask(stopQuestion(shared))}>
          Stop sharing
        </Button>
      </Group>
    ),
  };
  return (
    <>
      <Group justify="space-between" mt="xl" mb="xs">
        <Title order={2}>Shared channels</Title>
        <DialogButton
          label="Share a channel"
          title="Share a channel"
          icon={<IconShare size={14} aria-hidden />}
        >
          {(close) => <ShareChannel remoteId={remoteId} onShared={close} />}
        </DialogButton>
      </Group>
      <Loaded query={query}>
        {(channels) => (
          <DataTable
            label="Shared channels"
            columns={[...COLUMNS, stop]}
            rows={channels}
            keyOf={({ id }) => id}
            empty={
              <Empty
                icon={IconHash}
                text="No channels are shared with this server. A shared channel appears on both, and messages go both ways."
              />
            }
          />
        )}
      </Loaded>
      <More query={query} />
      {dialog}
    </>
  );
}

function Channel({ id }: { readonly id: string }): ReactNode {
  const { data: channel } = useQuery(channelOf(id));
  return (
    <Anchor component={Link} to={`/channels?channel=${id}`} size="sm" fw={500}>
      {channel?.display_name ?? <code>{id}</code>}
    </Anchor>
  );
}

function StopText({ id }: { readonly id: string }): ReactNode {
  const { data: channel } = useQuery(channelOf(id));
  return (
    <Text size="sm" mb="md">
      New messages in <b>{channel?.display_name ?? 'the channel'}</b> are no longer exchanged with the other
      server. Shared messages stay on both.
    </Text>
  );
}

const stopQuestion = ({ remote_id: remoteId, channel_id: channelId }: Shared) => ({
  title: 'Stop sharing?',
  action: 'Stop sharing',
  isRisky: true,
  body: <StopText id={channelId} />,
  onConfirm: async () => {
    const path = { remote_id: remoteId, channel_id: channelId };
    await answerOf(
      api.POST('/api/v4/remotecluster/{remote_id}/channels/{channel_id}/uninvite', { params: { path } }),
    );
    await refresh(remoteId);
  },
});

interface ShareChannelProps {
  readonly remoteId: string;
  readonly onShared: () => void;
}

/** Shares a channel with another server. */
function ShareChannel({ remoteId, onShared }: ShareChannelProps): ReactNode {
  const [teamId, chooseTeam] = useTeam();
  const [channelId, setChannelId] = useState('');
  const share = async (): Promise<void> => {
    const path = { remote_id: remoteId, channel_id: channelId };
    await answerOf(
      api.POST('/api/v4/remotecluster/{remote_id}/channels/{channel_id}/invite', { params: { path } }),
    );
    await refresh(remoteId);
    onShared();
  };
  return (
    <Form action="Share" onSubmit={share}>
      <TeamPicker
        teamId={teamId}
        onChoose={(id) => {
          chooseTeam(id);
          setChannelId(''); // it belongs to the previous team
        }}
      />
      <Field
        name="channel_id"
        label="Channel"
        hint="It appears on the other server, and messages go both ways from now on."
      >
        <ChannelSelect teamId={teamId} value={channelId} onChange={setChannelId} />
      </Field>
    </Form>
  );
}
