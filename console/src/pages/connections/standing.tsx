import type { ReactNode } from 'react';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import { type Connection, standingOfPeer } from './connection-queries';

const SINCE: Readonly<Record<Connection['standing'], string>> = {
  invited: 'invited',
  online: 'since',
  offline: 'last answered',
  deleted: 'since',
};

/** State of a connection, and since when. */
export function Standing({ peer }: { readonly peer: Connection }): ReactNode {
  const standing = standingOfPeer(peer);
  const hasAnswered = peer.standing !== 'offline' || peer.last_ping_at > 0;
  return (
    <>
      <StatusBadge status={standing} />{' '}
      <small className="muted">
        {hasAnswered ? (
          <>
            {SINCE[peer.standing]} <Time at={peer.standing_since} isInText />
          </>
        ) : (
          <>
            connected <Time at={peer.standing_since} isInText />, never answered
          </>
        )}
      </small>
    </>
  );
}
