import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Form } from '../../parts/form';
import type { Connection } from './connection-queries';
import { NameField } from './name-field';
import { refusalOf } from './refusals';
import { TeamField } from './team-field';

interface EditConnectionProps {
  readonly peer: Connection;
  readonly onSaved: () => void;
}

/** Edits the other server's local name and the team for its channels. Sends only changed fields. */
export function EditConnection({ peer, onSaved }: EditConnectionProps): ReactNode {
  const [before] = useState(peer); // the prop is refetched regularly
  const [name, setName] = useState(before.display_name);
  const [teamId, setTeamId] = useState(before.default_team_id);
  const save = async (): Promise<void> => {
    await answerOf(
      api.PATCH('/api/v4/remotecluster/{remote_id}', {
        params: { path: { remote_id: peer.remote_id } },
        body: {
          ...(name !== before.display_name && { display_name: name }),
          ...(teamId !== before.default_team_id && { default_team_id: teamId }),
        },
      }),
    );
    await queries.invalidateQueries({ queryKey: ['connections'] });
    onSaved();
  };
  return (
    <Form action="Save" onSubmit={save} explain={refusalOf}>
      <NameField name={name} onChange={setName} />
      <TeamField teamId={teamId} onChoose={setTeamId} />
    </Form>
  );
}
