import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { Time } from '../../parts/time';
import { AcceptInvite } from './accept-invite';
import { type Connection, connections, standingOfPeer } from './connection-queries';
import { Invite } from './invite';
import { SharedChannels } from './shared-channels';

/** Servers that this one trusts. */
export function ConnectionsPage(): ReactNode {
  const query = useQuery(connections);
  const [open, setOpen] = useState<'invite' | 'accept' | null>(null);
  const [leaving, setLeaving] = useState<Connection | null>(null);
  const [shown, setShown] = useState<Connection | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <PageHead title="Secure connections">
        <button onClick={() => setOpen('accept')}>Accept an invite</button>
        <button className="primary" onClick={() => setOpen('invite')}>
          Invite a server
        </button>
      </PageHead>
      <Loaded query={query}>
        {(peers) => <PeerTable peers={peers} onShow={setShown} onDelete={setLeaving} />}
      </Loaded>
      <Modal title="Invite a server" isOpen={open === 'invite'} onClose={close} isWide>
        <Invite />
      </Modal>
      <Modal title="Accept an invite" isOpen={open === 'accept'} onClose={close}>
        <AcceptInvite onAccepted={close} />
      </Modal>
      <Modal title="Shared channels" isLight isOpen={shown !== null} onClose={() => setShown(null)} isWide>
        {shown && <SharedChannels remoteId={shown.remote_id} />}
      </Modal>
      <Modal title="End the connection?" isOpen={leaving !== null} onClose={() => setLeaving(null)}>
        {leaving && <EndConnection peer={leaving} onEnded={() => setLeaving(null)} />}
      </Modal>
    </>
  );
}

interface EndConnectionProps {
  readonly peer: Connection;
  readonly onEnded: () => void;
}

function EndConnection({ peer, onEnded }: EndConnectionProps): ReactNode {
  const end = async (): Promise<void> => {
    await answerOf(
      api.DELETE('/api/v4/remotecluster/{remote_id}', { params: { path: { remote_id: peer.remote_id } } }),
    );
    await queries.invalidateQueries({ queryKey: ['connections'] });
    onEnded();
  };
  return (
    <Form action="End it" onSubmit={end} isDangerous>
      <p>
        This server forgets what it trusts <b>{peer.display_name}</b> with. The other server sees this one go
        offline. Messages that were shared stay on both.
      </p>
    </Form>
  );
}

interface PeerTableProps {
  readonly peers: readonly Connection[];
  readonly onShow: (peer: Connection) => void;
  readonly onDelete: (peer: Connection) => void;
}

function PeerTable({ peers, onShow, onDelete }: PeerTableProps): ReactNode {
  if (peers.length === 0)
    return (
      <p className="empty">No server is connected. Invite one, or accept an invite of its administrator.</p>
    );
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            <th>Server</th>
            <th>Address</th>
            <th>State</th>
            <th>Last heard of</th>
            <th>
              <span className="muted">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {peers.map((peer) => {
            const standing = standingOfPeer(peer);
            return (
              <tr key={peer.remote_id}>
                <td>{peer.display_name}</td>
                <td>{peer.site_url}</td>
                <td>
                  <Badge tone={standing.tone}>{standing.text}</Badge>
                </td>
                <td>
                  <Time at={peer.last_ping_at} />
                </td>
                <td className="actions">
                  <button className="small" onClick={() => onShow(peer)}>
                    Channels
                  </button>
                  <button className="small" onClick={() => onDelete(peer)}>
                    End
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
