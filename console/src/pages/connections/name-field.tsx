import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Field } from '../../parts/field';

interface NameFieldProps {
  readonly name: string;
  readonly onChange: (name: string) => void;
}

/** Name of the other server. */
export function NameField({ name, onChange }: NameFieldProps): ReactNode {
  return (
    <Field name="name" label="Name" hint="The name of the other server here.">
      <TextInput
        value={name}
        onChange={({ target }) => onChange(target.value)}
        maxLength={64}
        required
        autoFocus
      />
    </Field>
  );
}
