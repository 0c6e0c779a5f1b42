import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Code } from '../../parts/code';
import { StatusBadge } from '../../parts/status-badge';
import { CheckConnection } from './check-connection';
import { type Connection, connection, standingOfPeer, useLiveConnections } from './connection-queries';
import { InviteExpiry } from './invite-expiry';

interface CreatedInviteProps {
  readonly peer: Connection;
  readonly invite: string;
  readonly password: string;
}

/** A new invite with its password, and its current state. */
export function CreatedInvite({ peer, invite, password }: CreatedInviteProps): ReactNode {
  useLiveConnections();
  const { data: now = peer } = useQuery({ ...connection(peer.remote_id), refetchInterval: 2_000 });
  const standing = standingOfPeer(now);
  return (
    <>
      <p>
        Send both to the administrator of the other server, <b>through separate channels</b>: for example the
        invite by email and the password by phone. Anyone who has both can connect.
      </p>
      <p className="advice">They are shown only once.</p>
      <h2>1. Invite</h2>
      <Code label="the invite" text={invite} />
      {password !== '' && (
        <>
          <h2>2. Password</h2>
          <Code label="the password" text={password} />
        </>
      )}
      <h2>3. The other server</h2>
      <p role="status">
        <StatusBadge status={standing} />
      </p>
      {now.standing === 'invited' ? (
        <p>
          There, an administrator chooses “Accept an invite”. <InviteExpiry at={now.invite_expires_at} />
        </p>
      ) : (
        now.standing !== 'deleted' && <CheckConnection remoteId={now.remote_id} isAtOnce />
      )}
    </>
  );
}
