import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { AcceptInvite } from './accept-invite';
import { type Connection, connections, useLiveConnections } from './connection-queries';
import { EndConnection, endOf } from './end-connection';
import { Invite } from './invite';
import { PeerTable } from './peer-table';

/** Servers connected to this one. */
export function ConnectionsPage(): ReactNode {
  const query = useQuery(connections);
  const navigate = useNavigate();
  useLiveConnections();
  const [open, setOpen] = useState<'invite' | 'accept' | null>(null);
  const [leaving, setLeaving] = useState<Connection | null>(null);
  const close = (): void => setOpen(null);
  const show = ({ remote_id: remoteId }: Connection): void =>
    void navigate({ to: '/connections/$remoteId', params: { remoteId } });
  return (
    <>
      <PageHead title="Secure connections">
        <Button variant="default" size="xs" onClick={() => setOpen('accept')}>
          Accept an invite
        </Button>
        {query.data?.length !== 0 && (
          <Button size="xs" onClick={() => setOpen('invite')}>
            Invite a server
          </Button>
        )}
      </PageHead>
      <Loaded query={query}>
        {(peers) => <PeerTable peers={peers} onDelete={setLeaving} onInvite={() => setOpen('invite')} />}
      </Loaded>
      <Modal title="Invite a server" isOpen={open === 'invite'} onClose={close} isWide>
        <Invite />
      </Modal>
      <Modal title="Accept an invite" isOpen={open === 'accept'} onClose={close}>
        <AcceptInvite onAccepted={show} />
      </Modal>
      <Modal
        title={leaving ? endOf(leaving).title : ''}
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
      >
        {leaving && <EndConnection peer={leaving} onEnded={() => setLeaving(null)} />}
      </Modal>
    </>
  );
}
