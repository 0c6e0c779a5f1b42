import type { ReactNode } from 'react';
import { Countdown } from '../../parts/countdown';
import { Time } from '../../parts/time';
import type { Connection } from './connection-queries';

const WORDS: Readonly<Record<Connection['standing'], string>> = {
  invited: 'Invited',
  online: 'Connected',
  offline: 'Last answered',
  deleted: 'Ended',
};

/** Since when a connection has its state. */
export function Since({ peer }: { readonly peer: Connection }): ReactNode {
  const isUnheard = peer.standing === 'offline' && peer.last_ping_at === 0;
  return (
    <>
      {isUnheard ? 'Accepted' : WORDS[peer.standing]} <Time at={peer.standing_since} isInText />
      {isUnheard && ', never answered'}
    </>
  );
}

/** Countdown until an invite expires. `at` is in milliseconds. */
export function InviteExpiry({ at }: { readonly at: number }): ReactNode {
  return (
    <Countdown until={at} before="The invite expires in" over="The invite has expired. Create a new one." />
  );
}
