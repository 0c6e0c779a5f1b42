import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
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
  const { tone, text } = standingOfPeer(peer);
  const hasAnswered = peer.standing !== 'offline' || peer.last_ping_at > 0;
  return (
    <>
      <Badge tone={tone}>{text}</Badge>{' '}
      <small className="muted">
        {hasAnswered ? (
          <>
            {SINCE[peer.standing]} <Time at={peer.standing_since} />
          </>
        ) : (
          <>
            connected <Time at={peer.standing_since} />, never answered
          </>
        )}
      </small>
    </>
  );
}
