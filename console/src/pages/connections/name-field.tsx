import type { ReactNode } from 'react';
import { Field } from '../../parts/field';

interface NameFieldProps {
  readonly name: string;
  readonly onChange: (name: string) => void;
  readonly fault: string | undefined;
}

/** What the other server is called. */
export function NameField({ name, onChange, fault }: NameFieldProps): ReactNode {
  return (
    <Field label="Name" hint="What the other server is called here." fault={fault}>
      <input
        value={name}
        onChange={({ target }) => onChange(target.value)}
        maxLength={64}
        required
        autoFocus
      />
    </Field>
  );
}
