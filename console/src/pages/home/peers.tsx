import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { FaultNote } from '../../parts/fault-note';
import { Time } from '../../parts/time';
import { connections } from '../connections/connection-queries';

const SHOWN = 10;

/** Connected servers that do not answer. */
export function Peers(): ReactNode {
  const mayRead = isAdmin(useUser());
  const { data: peers = [], error } = useQuery({ ...connections, enabled: mayRead });
  const away = peers.filter((peer) => peer.standing === 'offline');
  if (away.length === 0 && !error) return null;
  return (
    <section aria-label="Servers that do not answer">
      <h2>Servers that do not answer</h2>
      {error && <FaultNote error={error} />}
      {away.length > 0 && (
        <ul>
          {away.slice(0, SHOWN).map((peer) => (
            <li key={peer.remote_id}>
              <Link to="/connections/$remoteId" params={{ remoteId: peer.remote_id }}>
                {peer.display_name}
              </Link>
              , last answered <Time at={peer.last_ping_at} />
            </li>
          ))}
        </ul>
      )}
      {away.length > SHOWN && (
        <p>
          <Link to="/connections">All {away.length} of them</Link>
        </p>
      )}
    </section>
  );
}
