import type { ReactNode } from 'react';
import { Field } from '../../parts/field';
import { randomText } from '../../parts/random-text';
import { FIELDS, PRESETS, secretLabel, TYPES, type VerifierDraft } from './verifiers';

const SECRET_LENGTH = 32;

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
        <select value={choice} onChange={({ target }) => onChange({ choice: target.value })}>
          <option value="">no</option>
          <optgroup label="By sender">
            {Object.entries(PRESETS).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </optgroup>
          <optgroup label="Other senders">
            {Object.entries(TYPES).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </optgroup>
        </select>
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
        <select value={value || choices[0]} onChange={change}>
          {choices.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      ) : isList ? (
        <textarea rows={3} value={value} onChange={change} />
      ) : (
        <input
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
    <Field
      name="secret"
      label={label}
      hint={
        <>
          The same as at the sender. It is not shown again.{' '}
          {mayGenerate && (
            <button
              type="button"
              className="small"
              aria-label="Generate a secret"
              onClick={() => onChange(randomText(SECRET_LENGTH))}
            >
              Generate
            </button>
          )}
        </>
      }
    >
      <input
        required
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
