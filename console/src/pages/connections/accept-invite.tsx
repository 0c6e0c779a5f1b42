import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { useTeam } from '../../parts/team-picker';
import { nameFrom } from './name-from';

/** Accepts an invite of another server. */
export function AcceptInvite({ onAccepted }: { readonly onAccepted: () => void }): ReactNode {
  const [teamId] = useTeam();
  const [values, setValues] = useState({ name: '', invite: '', password: '' });
  const set = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  const accept = async (): Promise<void> => {
    const { name, invite, password } = values;
    const body = {
      name: nameFrom(name),
      display_name: name,
      default_team_id: teamId,
      invite: invite.trim(),
      password,
    };
    await answerOf(api.POST('/api/v4/remotecluster/accept_invite', { body }));
    await queries.invalidateQueries({ queryKey: ['connections'] });
    onAccepted();
  };
  return (
    <Form action="Accept" onSubmit={accept}>
      <Field label="Name" hint="What the other server is called here.">
        <input
          value={values.name}
          onChange={({ target }) => set({ name: target.value })}
          maxLength={64}
          required
          autoFocus
        />
      </Field>
      <Field label="Invite">
        <textarea
          rows={4}
          spellCheck={false}
          value={values.invite}
          onChange={({ target }) => set({ invite: target.value })}
          required
        />
      </Field>
      <Field label="Password">
        <input
          type="password"
          autoComplete="off"
          value={values.password}
          onChange={({ target }) => set({ password: target.value })}
          required
        />
      </Field>
    </Form>
  );
}
