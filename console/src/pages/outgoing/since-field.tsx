import type { ReactNode } from 'react';
import { Field } from '../../parts/field';
import { toLocal } from '../../parts/local-time';

const DAY_MS = 86_400_000;

/** What the field has at first. */
export const aDayAgo = (): string => toLocal(Date.now() - DAY_MS);

interface SinceFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Since when what was missed is sent again. */
export function SinceField({ value, onChange }: SinceFieldProps): ReactNode {
  return (
    <Field name="since" label="Missed since">
      <input
        type="datetime-local"
        step={1}
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
