import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';

interface AddBotProps {
  readonly onAdded: (userId: string) => void;
}

/** Makes an account for a program. */
export function AddBot({ onAdded }: AddBotProps): ReactNode {
  const [values, setValues] = useState({ username: '', display_name: '', description: '' });
  const set = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  const add = async (): Promise<void> => {
    const bot = await answerOf(api.POST('/api/v4/bots', { body: values }));
    await queries.invalidateQueries({ queryKey: ['people'] });
    onAdded(bot.user_id);
  };
  return (
    <Form action="Add" onSubmit={add}>
      <Field name="username" label="Username">
        <input
          autoFocus
          autoComplete="off"
          required
          value={values.username}
          onChange={({ target }) => set({ username: target.value })}
        />
      </Field>
      <Field name="display_name first_name" label="Name">
        <input value={values.display_name} onChange={({ target }) => set({ display_name: target.value })} />
      </Field>
      <Field name="description" label="What for">
        <input value={values.description} onChange={({ target }) => set({ description: target.value })} />
      </Field>
    </Form>
  );
}
