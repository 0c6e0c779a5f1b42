import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Time } from '../../parts/time';
import { Table } from '../../parts/table';
import type { Connection } from './connection-queries';
import { endOf } from './end-connection';
import { Standing } from './standing';

interface PeerTableProps {
  readonly peers: readonly Connection[];
  readonly onDelete: (peer: Connection) => void;
  readonly onInvite: () => void;
}

/** The servers that this one trusts, and how each stands. */
export function PeerTable({ peers, onDelete, onInvite }: PeerTableProps): ReactNode {
  if (peers.length === 0)
    return (
      <div className="empty">
        <p>No server is connected. Invite one, or accept an invite of its administrator.</p>
        <button className="primary" onClick={onInvite}>
          Invite a server
        </button>
      </div>
    );
  return (
    <Table heads={['Server', 'Address', 'State', 'Last call from it', '']}>
      {peers.map((peer) => (
        <tr key={peer.remote_id}>
          <td>
            <Link to="/connections/$remoteId" params={{ remoteId: peer.remote_id }}>
              {peer.display_name}
            </Link>
          </td>
          <td>
            {peer.standing === 'invited' ? <span className="muted">not known yet</span> : peer.site_url}
          </td>
          <td>
            <Standing peer={peer} />
          </td>
          <td>
            <Time at={peer.last_heard_at} />
          </td>
          <td>
            <button className="small risky" onClick={() => onDelete(peer)}>
              {endOf(peer).action}
            </button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
