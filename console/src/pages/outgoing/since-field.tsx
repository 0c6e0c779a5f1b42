import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Field } from '../../parts/field';
import { toLocal } from '../../parts/local-time';

const DAY_MS = 86_400_000;

/** Initial value of the field. */
export const aDayAgo = (): string => toLocal(Date.now() - DAY_MS);

interface SinceFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Start time for resending missed deliveries. */
export function SinceField({ value, onChange }: SinceFieldProps): ReactNode {
  return (
    <Field name="since" label="Missed since">
      <TextInput
        type="datetime-local"
        step={1}
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
