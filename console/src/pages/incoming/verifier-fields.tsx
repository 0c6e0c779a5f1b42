import { Select, TextInput, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { Field } from '../../parts/field';
import { OneOf } from '../../parts/one-of';
import { SecretInput } from '../../parts/secret-input';
import { optionsOf } from '../../parts/choice';
import { FIELDS, PRESETS, secretLabel, TYPES, type VerifierDraft } from './verifiers';

interface VerifierFieldsProps {
  readonly draft: VerifierDraft;
  /** Whether the webhook already has a verifier of this kind, whose secret is kept. */
  readonly isStored: boolean;
  readonly onChange: (changed: Partial<VerifierDraft>) => void;
}

/** How calls of a webhook are verified. */
export function VerifierFields({ draft, isStored, onChange }: VerifierFieldsProps): ReactNode {
  const { choice, fields, secret } = draft;
  const names = TYPES[choice]?.fields ?? [];
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
          data={[
            { value: '', label: 'No' },
            { group: 'By sender', items: optionsOf(PRESETS) },
            {
              group: 'Other senders',
              items: Object.entries(TYPES).map(([value, { title }]) => ({ value, label: title })),
            },
          ]}
          value={choice}
          onChange={(chosen) => onChange({ choice: chosen ?? '' })}
        />
      </Field>
      {names.map((name) => (
        <VerifierInput
          key={name}
          name={name}
          value={fields[name] ?? ''}
          onChange={(value) => onChange({ fields: { ...fields, [name]: value } })}
        />
      ))}
      {label !== undefined && !isStored && (
        <SecretField
          label={label}
          mayGenerate={label === 'Secret'}
          value={secret}
          onChange={(value) => onChange({ secret: value })}
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
  const { label, hint, choices, isList } = FIELDS[name] ?? { label: name };
  const change = ({ target }: { readonly target: { readonly value: string } }): void =>
    onChange(target.value);
  return (
    <Field name={name} label={label} hint={hint}>
      {choices ? (
        <OneOf choices={choices} value={value || (choices[0] ?? '')} onChange={onChange} />
      ) : isList ? (
        <Textarea rows={3} value={value} onChange={change} />
      ) : (
        <TextInput
          type={name === 'tolerance' ? 'number' : 'text'}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={change}
        />
      )}
    </Field>
  );
}

interface SecretFieldProps {
  readonly label: string;
  readonly mayGenerate: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A secret that the server never shows again. */
export function SecretField({ label, mayGenerate, value, onChange }: SecretFieldProps): ReactNode {
  return (
    <Field name="secret" label={label} hint="The same as at the sender. It is not shown again.">
      {mayGenerate ? (
        <SecretInput required maxLength={255} value={value} onChange={onChange} />
      ) : (
        <TextInput
          required
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
