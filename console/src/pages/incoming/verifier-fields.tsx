import { Select, type SelectProps, TextInput, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { optionsOf } from '../../parts/choice';
import { Field } from '../../parts/field';
import { OneOf } from '../../parts/one-of';
import { SecretInput } from '../../parts/secret-input';
import { PRESETS, titlesOf } from './senders';
import { FIELDS, secretLabel, TYPES, type VerifierDraft } from './verifiers';

const CHOICES: SelectProps['data'] = [
  { value: '', label: 'No' },
  { group: 'By sender', items: optionsOf(titlesOf(PRESETS)).sort((a, b) => a.label.localeCompare(b.label)) },
  { group: 'Other senders', items: optionsOf(titlesOf(TYPES)) },
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
        <SecretField name={label} value={secret} onChange={(next) => onChange({ ...draft, secret: next })} />
      )}
    </>
  );
}

interface TextProps {
  /** The name of a field, or the label of a secret. */
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function VerifierInput({ name, value, onChange }: TextProps): ReactNode {
  const [label, hint, choices] = FIELDS[name] ?? [name];
  const change = ({ target }: { readonly target: { readonly value: string } }): void =>
    onChange(target.value);
  return (
    <Field name={name} label={label} hint={hint}>
      {choices ? (
        <OneOf<string> choices={choices} value={value || (choices[0] ?? '')} onChange={onChange} />
      ) : name === 'networks' ? (
        <Textarea rows={3} value={value} onChange={change} />
      ) : (
        <TextInput
          type={name === 'tolerance' ? 'number' : 'text'}
          {...{ maxLength: 128, autoComplete: 'off', spellCheck: false, value, onChange: change }}
        />
      )}
    </Field>
  );
}

/** A secret that the server never shows again. Only what is the same at both ends can be generated here. */
export function SecretField({ name: label, value, onChange }: TextProps): ReactNode {
  const input = { required: true, maxLength: 255, autoComplete: 'off', spellCheck: false, value };
  return (
    <Field name="secret" label={label} hint="The same as at the sender. It is not shown again.">
      {label === 'Secret' ? (
        <SecretInput {...input} onChange={onChange} />
      ) : (
        <TextInput {...input} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}
