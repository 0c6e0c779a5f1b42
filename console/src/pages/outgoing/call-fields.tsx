import { Checkbox, NumberInput, Select, TextInput, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { Field } from '../../parts/field';
import { OneOf } from '../../parts/one-of';
import { AUTH_TYPES, type CallValues } from './call-values';

interface CallFieldsProps {
  readonly values: CallValues;
  /** The stored kind of authentication, whose secret is kept unless another one is typed. */
  readonly storedAuth: string;
  readonly isPulled: boolean;
  readonly onChange: (changed: Partial<CallValues>) => void;
}

/** Headers and authentication of calls, their order and rate. */
export function CallFields({ values, storedAuth, isPulled, onChange }: CallFieldsProps): ReactNode {
  const { auth_type: type, auth_fields: fields, secret_headers: secrets } = values;
  return (
    <>
      <Field
        name={secrets === '' ? 'headers' : ''}
        label="Headers, one per line"
        hint="Sent with each call, such as “X-Team: blue”."
      >
        <Textarea
          rows={2}
          spellCheck={false}
          value={values.plain_headers}
          onChange={({ target }) => onChange({ plain_headers: target.value })}
        />
      </Field>
      <Field
        name={secrets === '' ? '' : 'headers'}
        label="Secret headers, one per line"
        hint="Stored encrypted and not shown again. A line with only a name keeps its value."
      >
        <Textarea
          rows={2}
          spellCheck={false}
          value={secrets}
          onChange={({ target }) => onChange({ secret_headers: target.value })}
        />
      </Field>
      <Field name="auth.type" label="Authentication">
        <Select
          allowDeselect={false}
          data={[
            { value: '', label: 'None' },
            ...Object.entries(AUTH_TYPES).map(([value, { title }]) => ({ value, label: title })),
          ]}
          value={type}
          onChange={(chosen) => onChange({ auth_type: chosen ?? '' })}
        />
      </Field>
      {Object.entries(AUTH_TYPES[type]?.inputs ?? {}).map(([name, input]) => {
        const { label, isSecret = false, isOptional = false, choices } = input;
        const isKept = isSecret && type === storedAuth;
        const set = (value: string): void => onChange({ auth_fields: { ...fields, [name]: value } });
        return (
          <Field key={name} name={`auth.${name}`} label={label} hint={isKept && 'Leave empty to keep it.'}>
            {choices ? (
              <OneOf choices={choices} value={fields[name] ?? choices[0] ?? ''} onChange={set} />
            ) : (
              <TextInput
                type={isSecret ? 'password' : 'text'}
                autoComplete={isSecret ? 'new-password' : 'off'}
                spellCheck={false}
                required={!isOptional && !isKept}
                value={fields[name] ?? ''}
                onChange={({ target }) => set(target.value)}
              />
            )}
          </Field>
        );
      })}
      <Field
        name="ordering"
        label="Deliver the messages of a channel in order"
        hint="One that fails delays the next ones of its channel."
      >
        <Checkbox
          checked={values.ordering === 'channel'}
          onChange={({ target }) => onChange({ ordering: target.checked ? 'channel' : '' })}
        />
      </Field>
      {!isPulled && (
        <Field name="requests_per_second" label="Calls per second" hint="The maximum; 0 means no limit.">
          <NumberInput
            min={0}
            max={1000}
            required
            value={values.requests_per_second}
            onChange={(rate) => onChange({ requests_per_second: Number(rate) })}
          />
        </Field>
      )}
    </>
  );
}
