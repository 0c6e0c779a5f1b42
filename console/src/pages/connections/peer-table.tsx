import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Growing } from '../../parts/growing';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import type { Connection } from './connection-queries';
import { endOf } from './end-connection';
import { Standing } from './standing';

interface PeerTableProps {
  readonly peers: readonly Connection[];
  readonly onDelete: (peer: Connection) => void;
  readonly onInvite: () => void;
}

/** Connected servers and their states. */
export function PeerTable({ peers, onDelete, onInvite }: PeerTableProps): ReactNode {
  if (peers.length === 0)
    return (
      <div className="empty">
        <p>No servers are connected. Invite one, or accept an invite from its administrator.</p>
        <Button size="xs" onClick={onInvite}>
          Invite a server
        </Button>
      </div>
    );
  return (
    <Growing items={peers}>
      {(shown) => (
        <Table heads={['Server', 'Address', 'State', 'Last call received', '']}>
          {shown.map((peer) => (
            <PeerRow key={peer.remote_id} peer={peer} onDelete={onDelete} />
          ))}
        </Table>
      )}
    </Growing>
  );
}

type PeerRowProps = Pick<PeerTableProps, 'onDelete'> & { readonly peer: Connection };

function PeerRow({ peer, onDelete }: PeerRowProps): ReactNode {
  return (
    <tr>
      <td>
        <Link to="/connections/$remoteId" params={{ remoteId: peer.remote_id }}>
          {peer.display_name}
        </Link>
      </td>
      <td>{peer.standing === 'invited' ? <span className="muted">not known yet</span> : peer.site_url}</td>
      <td>
        <Standing peer={peer} />
      </td>
      <td>
        <Time at={peer.last_heard_at} />
      </td>
      <td>
        <Button variant="default" size="compact-xs" c="red" onClick={() => onDelete(peer)}>
          {endOf(peer).action}
        </Button>
      </td>
    </tr>
  );
}
