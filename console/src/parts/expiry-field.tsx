import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Field } from './field';
import { fromLocal, toLocal } from './local-time';

/** Value of the field for a time in milliseconds; 0 means never. */
export const expiryText = (at: number): string => (at === 0 ? '' : toLocal(at));

/** The time in milliseconds that a field contains; 0 means never. */
export const expiryOf = (text: string): number => fromLocal(text) ?? 0;

interface ExpiryFieldProps {
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Until when something works. */
export function ExpiryField({ hint, value, onChange }: ExpiryFieldProps): ReactNode {
  return (
    <Field name="expires_at" label="Expires" hint={`${hint} If empty, never.`}>
      <TextInput
        type="datetime-local"
        step={1}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
