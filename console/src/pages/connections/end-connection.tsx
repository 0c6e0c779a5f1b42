import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Form } from '../../parts/form';
import type { Connection } from './connection-queries';

interface EndConnectionProps {
  readonly peer: Connection;
  readonly onEnded: () => void;
}

/** The wording: an invite that was not accepted is not a connection yet. */
export const endOf = ({ standing }: Connection): { readonly action: string; readonly title: string } =>
  standing === 'invited'
    ? { action: 'Withdraw', title: 'Withdraw the invite?' }
    : { action: 'Disconnect', title: 'Disconnect the server?' };

/** Ends a connection after explaining the effects on both sides. */
export function EndConnection({ peer, onEnded }: EndConnectionProps): ReactNode {
  const path = { remote_id: peer.remote_id };
  const end = async (): Promise<void> => {
    await answerOf(api.DELETE('/api/v4/remotecluster/{remote_id}', { params: { path } }));
    await queries.invalidateQueries({ queryKey: ['connections'] });
    onEnded();
  };
  return (
    <Form action={endOf(peer).action} onSubmit={end} isDangerous>
      {peer.standing === 'invited' ? (
        <p>
          The invite for <b>{peer.display_name}</b> is withdrawn and can no longer be accepted.
        </p>
      ) : (
        <>
          <p>
            <b>{peer.display_name}</b> can no longer call this server. Messages waiting for it are cancelled,
            and channels are no longer shared with it.
          </p>
          <p>
            The other server is not notified: it shows this server as <b>offline</b> until somebody
            disconnects there too. Shared messages stay on both servers.
          </p>
        </>
      )}
    </Form>
  );
}
