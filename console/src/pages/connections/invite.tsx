import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { useTeam } from '../../parts/team-picker';
import { nameFrom } from './name-from';
import { connections, standingOfPeer } from './connection-queries';

/** Makes an invite and its password, and waits until the other server has accepted. */
export function Invite(): ReactNode {
  const [teamId] = useTeam();
  const [name, setName] = useState('');
  const [made, setMade] = useState<Schemas['CreatedRemoteClusterDto'] | null>(null);
  const make = async (): Promise<void> => {
    const body = {
      name: nameFrom(name),
      display_name: name,
      default_team_id: teamId,
    };
    setMade(await answerOf(api.POST('/api/v4/remotecluster', { body })));
    await queries.invalidateQueries({ queryKey: ['connections'] });
  };
  if (made) return <Made made={made} />;
  return (
    <Form action="Make an invite" onSubmit={make}>
      <Field label="Name" hint="What the other server is called here.">
        <input
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={64}
          required
          autoFocus
        />
      </Field>
    </Form>
  );
}

function Made({ made }: { readonly made: Schemas['CreatedRemoteClusterDto'] }): ReactNode {
  const { data: peers = [] } = useQuery({ ...connections, refetchInterval: 1_000 });
  const peer = peers.find(({ remote_id: id }) => id === made.remote_cluster.remote_id);
  const standing = standingOfPeer(peer ?? made.remote_cluster);
  return (
    <>
      <p>
        Send both to the administrator of the other server, <b>through separate channels</b>: who has both can
        connect. They are shown only now.
      </p>
      <h2>Invite</h2>
      <Code label="the invite" text={made.invite} />
      {made.password && (
        <>
          <h2>Password</h2>
          <Code label="the password" text={made.password} />
        </>
      )}
      <p role="status">
        <Badge tone={standing.tone}>{standing.text}</Badge>
      </p>
    </>
  );
}
