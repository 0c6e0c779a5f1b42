import { Select, TextInput, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { Field } from '../../parts/field';
import { OneOf } from '../../parts/one-of';
import { SecretInput } from '../../parts/secret-input';
import { PRESETS } from './senders';
import { FIELDS, secretLabel, TYPES, type VerifierDraft } from './verifiers';

const CHOICES = [
  { value: '', label: 'No' },
  {
    group: 'By sender',
    items: Object.entries(PRESETS)
      .map(([value, [label]]) => ({ value, label }))
      .sort((a, b) => a.label.localeCompare(b.label)),
  },
  {
    group: 'Other senders',
    items: Object.entries(TYPES).map(([value, [label]]) => ({ value, label })),
  },
];

interface VerifierFieldsProps {
  readonly draft: VerifierDraft;
  /** Whether the webhook already has a verifier of this kind, whose secret is kept. */
  readonly isStored?: boolean;
  readonly onChange: (changed: VerifierDraft) => void;
}

/** How calls of a webhook are verified. */
export function VerifierFields({ draft, isStored = false, onChange }: VerifierFieldsProps): ReactNode {
  const { choice, fields, secret } = draft;
  const label = secretLabel(choice);
  return (
    <>
      <Field
        name="preset type"
        label="Verify calls"
        hint={
          choice === ''
            ? 'Anyone who knows the URL can post.'
            : 'The URL alone is not enough to post: each call must prove that it comes from the sender.'
        }
      >
        <Select
          searchable
          allowDeselect={false}
          data={CHOICES}
          value={choice}
          onChange={(chosen) => onChange({ ...draft, choice: chosen ?? '' })}
        />
      </Field>
      {(TYPES[choice]?.[1] ?? []).map((name) => (
        <VerifierInput
          key={name}
          name={name}
          value={fields[name] ?? ''}
          onChange={(value) => onChange({ ...draft, fields: { ...fields, [name]: value } })}
        />
      ))}
      {label !== undefined && !isStored && (
        <SecretField
          label={label}
          value={secret}
          onChange={(value) => onChange({ ...draft, secret: value })}
        />
      )}
    </>
  );
}

interface VerifierInputProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function VerifierInput({ name, value, onChange }: VerifierInputProps): ReactNode {
  const [label, hint, choices] = FIELDS[name] ?? [name];
  const common = {
    value,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  return (
    <Field name={name} label={label} hint={hint}>
      {choices ? (
        <OneOf<string> choices={choices} value={value || (choices[0] ?? '')} onChange={onChange} />
      ) : name === 'networks' ? (
        <Textarea rows={3} {...common} />
      ) : (
        <TextInput
          type={name === 'tolerance' ? 'number' : 'text'}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          {...common}
        />
      )}
    </Field>
  );
}

interface SecretFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A secret that the server never shows again. Only what is the same at both ends can be generated here. */
export function SecretField({ label, value, onChange }: SecretFieldProps): ReactNode {
  const input = { required: true, maxLength: 255, value };
  return (
    <Field name="secret" label={label} hint="The same as at the sender. It is not shown again.">
      {label === 'Secret' ? (
        <SecretInput {...input} onChange={onChange} />
      ) : (
        <TextInput
          autoComplete="off"
          spellCheck={false}
          {...input}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
