import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Form } from '../../parts/form';
import type { Connection } from './connection-queries';
import { CreatedInvite } from './created-invite';
import { newPassword } from './new-password';
import { refusalOf } from './refusals';

/** Creates another invite for a connection that was not accepted. */
export function NewInvite({ peer }: { readonly peer: Connection }): ReactNode {
  const [made, setMade] = useState<{ readonly invite: string; readonly password: string } | null>(null);
  const make = async (): Promise<void> => {
    const password = newPassword();
    const invite = await answerOf(
      api.POST('/api/v4/remotecluster/{remote_id}/generate_invite', {
        params: { path: { remote_id: peer.remote_id } },
        body: { password },
      }),
    );
    setMade({ invite, password });
    await queries.invalidateQueries({ queryKey: ['connections'] });
  };
  if (made) return <CreatedInvite peer={peer} invite={made.invite} password={made.password} />;
  return (
    <Form action="Create a new invite" onSubmit={make} explain={refusalOf}>
      <p>
        The new invite has a new password and a new expiry. Earlier invites that have not expired stay valid
        until one of them is accepted.
      </p>
    </Form>
  );
}
