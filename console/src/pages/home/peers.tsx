import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { Time } from '../../parts/time';
import { connections, standingOfPeer } from '../connections/connection-queries';

/** Connected servers that do not answer. */
export function Peers(): ReactNode {
  const mayRead = isAdmin(useUser());
  const { data: peers = [] } = useQuery({ ...connections, enabled: mayRead });
  const away = peers.filter((peer) => standingOfPeer(peer).text === 'offline');
  if (away.length === 0) return null;
  return (
    <section aria-label="Servers that do not answer">
      <h2>Servers that do not answer</h2>
      <ul>
        {away.map((peer) => (
          <li key={peer.remote_id}>
            <Link to="/connections">{peer.display_name}</Link>, last heard of <Time at={peer.last_ping_at} />
          </li>
        ))}
      </ul>
    </section>
  );
}
