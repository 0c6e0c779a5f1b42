import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import type { Person } from './people-queries';
import { reloadAccounts } from './reload-accounts';

interface BotFormProps {
  /** The account to edit; if undefined, a new one is created. */
  readonly bot?: Person;
  readonly onSaved: (userId: string) => void;
}

/** Creates or edits a bot account. */
export function BotForm({ bot, onSaved }: BotFormProps): ReactNode {
  const [values, setValues] = useState({
    username: bot?.username ?? '',
    display_name: bot?.first_name ?? '',
    description: bot?.bot_description ?? '',
  });
  const set = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  const save = async (): Promise<void> => {
    const saved = await answerOf(
      bot
        ? api.PUT('/api/v4/bots/{bot_user_id}', { params: { path: { bot_user_id: bot.id } }, body: values })
        : api.POST('/api/v4/bots', { body: values }),
    );
    await reloadAccounts();
    onSaved(saved.user_id);
  };
  return (
    <Form action={bot ? 'Save' : 'Add'} onSubmit={save}>
      <Field name="username" label="Username">
        <TextInput
          autoFocus
          autoComplete="off"
          required
          value={values.username}
          onChange={({ target }) => set({ username: target.value })}
        />
      </Field>
      <Field name="display_name first_name" label="Name">
        <TextInput
          value={values.display_name}
          onChange={({ target }) => set({ display_name: target.value })}
        />
      </Field>
      <Field name="description" label="Purpose">
        <TextInput value={values.description} onChange={({ target }) => set({ description: target.value })} />
      </Field>
    </Form>
  );
}
