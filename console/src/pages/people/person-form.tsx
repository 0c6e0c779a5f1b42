import { PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import type { Person } from './people-queries';
import { reloadAccounts } from './reload-accounts';

interface PersonFormProps {
  readonly user: Person;
  /** Whether it is the user's own account, where an email change requires the password. */
  readonly isOwn?: boolean;
  readonly onSaved: () => void;
}

const FIELDS = ['username', 'first_name', 'last_name', 'nickname', 'email'] as const;
type Name = (typeof FIELDS)[number];

const LABELS: Readonly<Record<Name, string>> = {
  username: 'Username',
  first_name: 'First name',
  last_name: 'Last name',
  nickname: 'Nickname',
  email: 'Email',
};

/** Edits the names and email of an account. Sends only changed fields. */
export function PersonForm({ user, isOwn = false, onSaved }: PersonFormProps): ReactNode {
  const [before] = useState(() => valuesOf(user)); // the account may be refetched meanwhile
  const [values, setValues] = useState(before);
  const [password, setPassword] = useState('');
  const needsPassword = isOwn && values.email !== before.email;
  const save = async (): Promise<void> => {
    const changed = FIELDS.filter((name) => values[name] !== before[name]).map((name) => [
      name,
      values[name],
    ]);
    await answerOf(
      api.PUT('/api/v4/users/{user_id}/patch', {
        params: { path: { user_id: user.id } },
        body: {
          ...(Object.fromEntries(changed) as Partial<typeof values>),
          ...(needsPassword && { password }),
        },
      }),
    );
    await reloadAccounts();
    onSaved();
  };
  return (
    <Form action="Save" onSubmit={save}>
      {FIELDS.map((name) => (
        <Field key={name} name={name} label={LABELS[name]}>
          <TextInput
            type={name === 'email' ? 'email' : 'text'}
            autoFocus={name === 'username'}
            autoComplete="off"
            required={name === 'username' || name === 'email'}
            value={values[name]}
            onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          />
        </Field>
      ))}
      {needsPassword && (
        <Field name="password" label="Your password" hint="Required to change the address.">
          <PasswordInput
            required
            autoComplete="current-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
      )}
    </Form>
  );
}

const valuesOf = (user: Person): Readonly<Record<Name, string>> => ({
  username: user.username,
  first_name: user.first_name,
  last_name: user.last_name,
  nickname: user.nickname,
  email: user.email,
});
