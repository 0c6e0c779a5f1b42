import { PasswordInput, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { nameFrom } from '../../parts/name-from';
import { useTeam } from '../../parts/team-picker';
import type { Connection } from './connection-queries';
import { NameField } from './name-field';
import { refusalOf } from './refusals';
import { TeamField } from './team-field';

/** Accepts an invite from another server. */
export function AcceptInvite({ onAccepted }: { readonly onAccepted: (peer: Connection) => void }): ReactNode {
  const [firstTeam] = useTeam();
  const [values, setValues] = useState({ name: '', team: '', invite: '', password: '' });
  const set = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  const teamId = values.team || firstTeam;
  const accept = async (): Promise<void> => {
    const { name, invite, password } = values;
    const body = {
      name: nameFrom(name, 'server'),
      display_name: name,
      default_team_id: teamId,
      invite: invite.trim(),
      password: password.trim(),
    };
    const accepted = await answerOf(api.POST('/api/v4/remotecluster/accept_invite', { body }));
    await queries.invalidateQueries({ queryKey: ['connections'] });
    onAccepted(accepted);
  };
  return (
    <Form action="Accept" onSubmit={accept} explain={refusalOf}>
      <NameField name={values.name} onChange={(name) => set({ name })} />
      <TeamField teamId={teamId} onChoose={(team) => set({ team })} />
      <Field name="invite" label="Invite" hint="The long text from the administrator of the other server.">
        <Textarea
          rows={4}
          spellCheck={false}
          value={values.invite}
          onChange={({ target }) => set({ invite: target.value })}
          required
        />
      </Field>
      <Field name="password" label="Password" hint="Sent separately from the invite.">
        <PasswordInput
          autoComplete="off"
          value={values.password}
          onChange={({ target }) => set({ password: target.value })}
          required
        />
      </Field>
    </Form>
  );
}
