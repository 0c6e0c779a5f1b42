import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';

interface PasswordFormProps {
  readonly userId: string;
  /** Whether it is the user's own password, which requires the current one. */
  readonly isOwn?: boolean;
  readonly onSaved: () => void;
}

/** Sets the password of an account. */
export function PasswordForm({ userId, isOwn = false, onSaved }: PasswordFormProps): ReactNode {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const save = async (): Promise<void> => {
    await answerOf(
      api.PUT('/api/v4/users/{user_id}/password', {
        params: { path: { user_id: userId } },
        body: { new_password: password, ...(isOwn && { current_password: current }) },
      }),
    );
    await queries.invalidateQueries({ queryKey: ['people'] });
    onSaved();
  };
  return (
    <Form action="Set password" onSubmit={save}>
      {isOwn && (
        <Field name="current_password" label="Current password">
          <PasswordInput
            autoFocus
            required
            autoComplete="current-password"
            value={current}
            onChange={({ target }) => setCurrent(target.value)}
          />
        </Field>
      )}
      <Field
        name="new_password password"
        label={isOwn ? 'New password' : 'Password'}
        hint={
          isOwn
            ? 'All other sessions are signed out; this one stays signed in.'
            : 'The account is signed out everywhere.'
        }
      >
        <PasswordInput
          autoFocus={!isOwn}
          required
          autoComplete="new-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </Field>
    </Form>
  );
}
