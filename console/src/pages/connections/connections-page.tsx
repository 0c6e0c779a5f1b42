import { Anchor, Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconAffiliate, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { connectionsRoute } from '../../app/router';
import { useConfirm } from '../../parts/confirm';
import { type Column, DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import { useOpened } from '../../parts/use-opened';
import { AcceptInvite } from './connection-forms';
import {
  type Connection,
  connections,
  stateOf,
  standingOfPeer,
  useLiveConnections,
} from './connection-queries';
import { endLabelOf, endQuestion } from './end-connection';
import { InviteWizard } from './invite-wizard';
import { Since } from './since';

const STATES = { online: 'Online', offline: 'Offline', invited: 'Waiting', expired: 'Expired' } as const;

const COLUMNS: readonly Column<Connection>[] = [
  {
    title: 'Server',
    cell: (peer) => (
      <Anchor component={Link} to={`/connections/${peer.remote_id}`} size="sm" fw={500}>
        {peer.display_name}
      </Anchor>
    ),
  },
  {
    title: 'State',
    onPhone: 'corner',
    cell: (peer) => <StatusBadge status={standingOfPeer(peer)} />,
  },
  { title: 'Since', onPhone: 'hidden', cell: (peer) => <Since peer={peer} /> },
  {
    title: 'Address',
    cell: (peer) =>
      peer.standing === 'invited' ? (
        <Text span size="sm" c="dimmed">
          Not known yet
        </Text>
      ) : (
        peer.site_url
      ),
  },
  {
    title: 'Last ping',
    onPhone: 'hidden',
    isNumber: true,
    width: 110,
    cell: ({ last_ping_at: at }) => <Time at={at} />,
  },
  {
    title: 'Last call received',
    isNumber: true,
    width: 150,
    cell: ({ last_heard_at: at }) => <Time at={at} />,
  },
];

/** Servers connected to this one. */
export function ConnectionsPage(): ReactNode {
  const query = useQuery(connections);
  const navigate = useNavigate();
  const [isInviting, setInviting] = useOpened('invite');
  const [isAccepting, setAccepting] = useOpened('accept');
  useLiveConnections();
  const show = ({ remote_id: remoteId }: Connection): void =>
    void navigate({ to: '/connections/$remoteId', params: { remoteId } });
  const inviteButton = (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setInviting(true)}>
      Invite a server
    </Button>
  );
  return (
    <>
      <PageHead title="Secure connections" description="Servers that share channels with this one.">
        <Button variant="default" onClick={() => setAccepting(true)}>
          Accept an invite
        </Button>
        {query.data?.length !== 0 && inviteButton}
      </PageHead>
      <Loaded query={query}>
        {(peers) =>
          peers.length === 0 ? (
            <Empty
              icon={IconAffiliate}
              title="No connections yet"
              text="Connect another Hookline server to share channels with it. Invite it, or accept an invite from its administrator."
            >
              {inviteButton}
            </Empty>
          ) : (
            <PeerTable peers={peers} onOpen={show} />
          )
        }
      </Loaded>
      <Modal title="Invite a server" isOpen={isInviting} onClose={() => setInviting(false)} isWide>
        <InviteWizard />
      </Modal>
      <Modal title="Accept an invite" isOpen={isAccepting} onClose={() => setAccepting(false)}>
        <AcceptInvite onAccepted={show} />
      </Modal>
    </>
  );
}

interface PeerTableProps {
  readonly peers: readonly Connection[];
  readonly onOpen: (peer: Connection) => void;
}

function PeerTable({ peers, onOpen }: PeerTableProps): ReactNode {
  const { search = '', state } = connectionsRoute.useSearch();
  const navigate = useNavigate({ from: '/connections' });
  const [dialog, ask] = useConfirm();
  const set = (changed: { readonly search?: string; readonly state?: string }, replace = false): void =>
    void navigate({ search: (now) => ({ ...now, ...changed }), replace });
  const named = peers.filter(({ display_name: name, site_url: address }) =>
    `${name} ${address}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  const count = (one: string): number => named.filter((peer) => stateOf(peer) === one).length;
  const end: Column<Connection> = {
    title: '',
    width: 110,
    cell: (peer) => (
      <Group justify="flex-end">
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => ask(endQuestion(peer))}>
          {endLabelOf(peer)}
        </Button>
      </Group>
    ),
  };
  return (
    <>
      <Group mb="sm" justify="space-between">
        <SearchField
          label="Search connections"
          value={search}
          onSearch={(text) => set({ search: text }, search !== '')}
        />
        <SegmentedControl
          size="xs"
          aria-label="State"
          value={state ?? ''}
          onChange={(chosen) => set({ state: chosen })}
          data={[
            { value: '', label: `All ${named.length}` },
            ...Object.entries(STATES).map(([value, label]) => ({ value, label: `${label} ${count(value)}` })),
          ]}
        />
      </Group>
      <DataTable
        label="Secure connections"
        columns={[...COLUMNS, end]}
        rows={named.filter((peer) => state === undefined || stateOf(peer) === state)}
        keyOf={({ remote_id: id }) => id}
        onOpen={onOpen}
        empty={<Empty text="No connections match these filters." />}
      />
      {dialog}
    </>
  );
}
