import { PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { nameFrom } from '../../parts/name-from';
import { myTeams, useTeam } from '../../parts/team-picker';
import { type Connection, refreshConnections } from './connection-queries';
import { refusalOf } from './refusals';

interface PeerFieldsProps {
  readonly name: string;
  readonly teamId: string;
  readonly onName: (name: string) => void;
  readonly onTeam: (teamId: string) => void;
  readonly isFirst?: boolean;
}

/** How the other server is called here, and the team of its channels. */
export function PeerFields({ name, teamId, onName, onTeam, isFirst = true }: PeerFieldsProps): ReactNode {
  const { data: teams = [], isSuccess } = useQuery(myTeams);
  const isForeign = teamId !== '' && isSuccess && !teams.some(({ id }) => id === teamId);
  return (
    <>
      <Field name="name" label="Name" hint="What the other server is called here.">
        <TextInput
          value={name}
          onChange={({ target }) => onName(target.value)}
          maxLength={64}
          required
          autoFocus={isFirst}
        />
      </Field>
      <Field name="team" label="Team" hint="Channels of the other server appear in this team.">
        <Select
          searchable
          required
          allowDeselect={false}
          placeholder="Choose a team"
          data={[
            ...(isForeign ? [{ value: teamId, label: 'The current team, which you are not in' }] : []),
            ...teams.map(({ id, display_name: label }) => ({ value: id, label })),
          ]}
          value={teamId || null}
          onChange={(id) => id !== null && onTeam(id)}
        />
      </Field>
    </>
  );
}

/** Name and team for a server that is not connected yet, as the API expects them. */
export function useNewPeer() {
  const [firstTeam] = useTeam();
  const [name, onName] = useState('');
  const [team, onTeam] = useState('');
  const teamId = team || firstTeam;
  return {
    fields: { name, teamId, onName, onTeam },
    body: { name: nameFrom(name, 'server'), display_name: name, default_team_id: teamId },
  };
}

/** Accepts an invite from another server. */
export function AcceptInvite({ onAccepted }: { readonly onAccepted: (peer: Connection) => void }): ReactNode {
  const { fields, body } = useNewPeer();
  const [invite, setInvite] = useState('');
  const [password, setPassword] = useState('');
  const accept = async (): Promise<void> => {
    const secrets = { invite: invite.trim(), password: password.trim() };
    const accepted = await answerOf(
      api.POST('/api/v4/remotecluster/accept_invite', { body: { ...body, ...secrets } }),
    );
    await refreshConnections();
    onAccepted(accepted);
  };
  return (
    <Form action="Accept" onSubmit={accept} explain={refusalOf}>
      <Field name="invite" label="Invite" hint="The long text from the administrator of the other server.">
        <Textarea
          rows={4}
          spellCheck={false}
          value={invite}
          onChange={({ target }) => setInvite(target.value)}
          required
          autoFocus
        />
      </Field>
      <Field name="password" label="Password" hint="Sent to you separately.">
        <PasswordInput
          autoComplete="off"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          required
        />
      </Field>
      <PeerFields {...fields} isFirst={false} />
    </Form>
  );
}

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
    const body = {
      ...(name !== before.display_name && { display_name: name }),
      ...(teamId !== before.default_team_id && { default_team_id: teamId }),
    };
    const path = { remote_id: peer.remote_id };
    await answerOf(api.PATCH('/api/v4/remotecluster/{remote_id}', { params: { path }, body }));
    await refreshConnections();
    onSaved();
  };
  return (
    <Form action="Save" onSubmit={save} explain={refusalOf}>
      <PeerFields name={name} teamId={teamId} onName={setName} onTeam={setTeamId} />
    </Form>
  );
}
