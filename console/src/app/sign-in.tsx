import { PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../api/client';
import { Field } from '../parts/field';
import { Form } from '../parts/form';

interface SignInProps {
  readonly isPage?: boolean;
  /** The only user who may sign in here. */
  readonly username?: string;
  readonly extra?: ReactNode;
  readonly onSignedIn: () => Promise<void>;
}

/** Starts a cookie session. */
export function SignInForm({ isPage = false, username = '', extra, onSignedIn }: SignInProps): ReactNode {
  const [name, setName] = useState(username);
  const [password, setPassword] = useState('');
  const signIn = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/login', { body: { login_id: name, password } }));
    setPassword('');
    await onSignedIn();
  };
  const form = (
    <Form action="Sign in" onSubmit={signIn} extra={extra}>
      <Field name="login_id" label="Username or email">
        <TextInput
          value={name}
          onChange={({ target }) => setName(target.value)}
          autoComplete="username"
          required
          readOnly={username !== ''}
          autoFocus={username === ''}
        />
      </Field>
      <Field name="password" label="Password">
        <PasswordInput
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          autoComplete="current-password"
          required
          autoFocus={username !== ''}
        />
      </Field>
    </Form>
  );
  if (!isPage) return form;
  return (
    <main className="sign-in">
      <h1>Hookline</h1>
      {form}
      <details>
        <summary>Signing in to a new server</summary>
        <p className="muted">
          The first start creates an account: <b>admin</b>, unless the settings name another. Its password is
          the one in the settings; without one, it is in <code>initial-admin.json</code> in the data folder.
          Administrators create the other accounts.
        </p>
      </details>
    </main>
  );
}
