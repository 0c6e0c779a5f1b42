import { Code, Paper, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../api/client';
import { Brand } from '../brand/brand';
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
      <Brand size={34} />
      <Paper withBorder shadow="sm" p="xl">
        <Title order={1} size="h2" mb="md">
          Sign in to Hookline
        </Title>
        {form}
      </Paper>
      <details>
        <summary>First sign-in on a new server</summary>
        <Text size="sm" c="dimmed" mt="xs">
          The first start creates the account <b>admin</b>, unless the settings name another. Its password is
          in the settings or in <Code>initial-admin.json</Code> in the data folder. Administrators create the
          other accounts.
        </Text>
      </details>
    </main>
  );
}
