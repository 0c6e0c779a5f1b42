import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { randomText } from '../../parts/random-text';
import { SecretInput } from '../../parts/secret-input';
import { TextFields } from './parts';
import { type Person, reloadAccounts } from './people-queries';

const PASSWORD_LENGTH = 20;
const newPassword = { what: 'a password', generate: () => randomText(PASSWORD_LENGTH) };
const username = { label: 'Username', required: true } as const;
const email = { label: 'Email', type: 'email', required: true } as const;

interface AddPersonProps {
  readonly onAdded: (userId: string) => void;
}

/** Creates an account. */
export function AddPerson({ onAdded }: AddPersonProps): ReactNode {
  const [names, setNames] = useState({ username: '', email: '' });
  const [password, setPassword] = useState('');
  const add = async (): Promise<void> => {
    const { id } = await answerOf(api.POST('/api/v4/users', { body: { ...names, password } }));
    await reloadAccounts();
    onAdded(id);
  };
  return (
    <Form action="Add" onSubmit={add}>
      <TextFields fields={{ username, email }} values={names} onChange={setNames} />
      <Field
        name="password"
        label="First password"
        hint="At least 8 characters. Send it to the person, who can change it."
      >
        <SecretInput required {...newPassword} value={password} onChange={setPassword} />
      </Field>
    </Form>
  );
}

const PROFILE = {
  username,
  first_name: { label: 'First name' },
  last_name: { label: 'Last name' },
  nickname: { label: 'Nickname' },
  email,
} as const;

interface AccountFormProps {
  readonly user: Person;
  /** Whether it is the user's own account, where sensitive changes require the password. */
  readonly isOwn?: boolean;
  readonly onSaved: () => void;
}

/** Edits the names and email of an account. Sends only changed fields. */
export function PersonForm({ user, isOwn = false, onSaved }: AccountFormProps): ReactNode {
  const [before] = useState(() => ({
    ...{ username: user.username, first_name: user.first_name, last_name: user.last_name },
    ...{ nickname: user.nickname, email: user.email },
  })); // the account may be refetched meanwhile
  const [values, setValues] = useState(before);
  const [password, setPassword] = useState('');
  const needsPassword = isOwn && values.email !== before.email;
  const save = async (): Promise<void> => {
    const changed: Partial<typeof values> = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => value !== before[name as keyof typeof before]),
    );
    const body = { ...changed, ...(needsPassword && { password }) };
    const params = { path: { user_id: user.id } };
    await answerOf(api.PUT('/api/v4/users/{user_id}/patch', { params, body }));
    await reloadAccounts();
    onSaved();
  };
  return (
    <Form action="Save" onSubmit={save}>
      <TextFields fields={PROFILE} values={values} onChange={setValues} />
      {needsPassword && (
        <Field name="password" label="Your password" hint="Required to change the email.">
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

interface BotFormProps {
  /** The account to edit; if undefined, a new one is created. */
  readonly bot?: Person;
  readonly onSaved: (userId: string) => void;
}

/** Creates or edits a bot. */
export function BotForm({ bot, onSaved }: BotFormProps): ReactNode {
  const [values, setValues] = useState({
    username: bot?.username ?? '',
    display_name: bot?.first_name ?? '',
    description: bot?.bot_description ?? '',
  });
  const save = async (): Promise<void> => {
    const saved = await answerOf(
      bot
        ? api.PUT('/api/v4/bots/{bot_user_id}', { params: { path: { bot_user_id: bot.id } }, body: values })
        : api.POST('/api/v4/bots', { body: values }),
    );
    await reloadAccounts();
    onSaved(saved.user_id);
  };
  const fields = {
    username,
    display_name: { label: 'Name', api: 'display_name first_name' },
    description: { label: 'Description', placeholder: 'Announces builds' },
  };
  return (
    <Form action={bot ? 'Save' : 'Add'} onSubmit={save}>
      <TextFields fields={fields} values={values} onChange={setValues} />
    </Form>
  );
}

/** Sets the password of an account. */
export function PasswordForm({ user, isOwn = false, onSaved }: AccountFormProps): ReactNode {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const save = async (): Promise<void> => {
    const body = { new_password: password, ...(isOwn && { current_password: current }) };
    const params = { path: { user_id: user.id } };
    await answerOf(api.PUT('/api/v4/users/{user_id}/password', { params, body }));
    await reloadAccounts();
    onSaved();
  };
  const signsOut = isOwn ? 'Your other sessions are signed out.' : 'The account is signed out everywhere.';
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
        hint={`At least 8 characters. ${signsOut}`}
      >
        {isOwn ? (
          <PasswordInput
            required
            autoComplete="new-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        ) : (
          <SecretInput autoFocus required {...newPassword} value={password} onChange={setPassword} />
        )}
      </Field>
    </Form>
  );
}
