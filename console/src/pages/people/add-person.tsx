import { PasswordInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';

interface AddPersonProps {
  readonly onAdded: (userId: string) => void;
}

/** Creates an account. */
export function AddPerson({ onAdded }: AddPersonProps): ReactNode {
  const [values, setValues] = useState({ username: '', email: '', password: '' });
  const set = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  const add = async (): Promise<void> => {
    const { id } = await answerOf(api.POST('/api/v4/users', { body: values }));
    await queries.invalidateQueries({ queryKey: ['people'] });
    onAdded(id);
  };
  return (
    <Form action="Add" onSubmit={add}>
      <Field name="username" label="Username">
        <TextInput
          autoFocus
          autoComplete="off"
          required
          value={values.username}
          onChange={({ target }) => set({ username: target.value })}
        />
      </Field>
      <Field name="email" label="Email">
        <TextInput
          type="email"
          autoComplete="off"
          required
          value={values.email}
          onChange={({ target }) => set({ email: target.value })}
        />
      </Field>
      <Field
        name="password"
        label="First password"
        hint="The person signs in with it, and can change it on their account page."
      >
        <PasswordInput
          autoComplete="new-password"
          required
          value={values.password}
          onChange={({ target }) => set({ password: target.value })}
        />
      </Field>
    </Form>
  );
}
