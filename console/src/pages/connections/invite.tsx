import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { queries } from '../../app/services';
import { Form } from '../../parts/form';
import { nameFrom } from '../../parts/name-from';
import { useTeam } from '../../parts/team-picker';
import { CreatedInvite } from './created-invite';
import { NameField } from './name-field';
import { refusalOf } from './refusals';
import { TeamField } from './team-field';

/** Creates an invite and its password, then waits until the other server accepts and responds. */
export function Invite(): ReactNode {
  const [firstTeam] = useTeam();
  const [name, setName] = useState('');
  const [team, setTeam] = useState('');
  const [made, setMade] = useState<Schemas['CreatedRemoteClusterDto'] | null>(null);
  const teamId = team || firstTeam;
  const make = async (): Promise<void> => {
    const body = { name: nameFrom(name, 'server'), display_name: name, default_team_id: teamId };
    setMade(await answerOf(api.POST('/api/v4/remotecluster', { body })));
    await queries.invalidateQueries({ queryKey: ['connections'] });
  };
  if (made)
    return <CreatedInvite peer={made.remote_cluster} invite={made.invite} password={made.password ?? ''} />;
  return (
    <Form action="Create an invite" onSubmit={make} explain={refusalOf}>
      <NameField name={name} onChange={setName} />
      <TeamField teamId={teamId} onChoose={setTeam} />
    </Form>
  );
}
