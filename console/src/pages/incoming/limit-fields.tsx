import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { siteAddress } from '../../api/site';
import { ExpiryField } from '../../parts/expiry-field';
import { Field } from '../../parts/field';
import { randomText } from '../../parts/random-text';
import { SecretInput } from '../../parts/secret-input';

const PART_LENGTH = 10;
const SECRET_LENGTH = 32;

const newSlackPath = (): string =>
  `T${randomText(PART_LENGTH)}/B${randomText(PART_LENGTH)}/${randomText(SECRET_LENGTH)}`;

export interface Limits {
  readonly slack_path: string;
  readonly expires: string;
  readonly rate: string;
}

interface LimitFieldsProps extends Limits {
  readonly onChange: (changed: Partial<Limits>) => void;
}

/** Less common settings of a webhook: a second URL, and how long and how often it may be called. */
export function LimitFields({ slack_path: path, expires, rate, onChange }: LimitFieldsProps): ReactNode {
  return (
    <>
      <Field
        name="slack_path"
        label="Slack path"
        hint={
          <>
            For senders that accept only URLs of Slack: also called at <code>{siteAddress()}services/…</code>
          </>
        }
      >
        <SecretInput
          what="a Slack path"
          generate={newSlackPath}
          placeholder="T…/B…/…"
          value={path}
          onChange={(text) => onChange({ slack_path: text })}
        />
      </Field>
      <ExpiryField
        hint="Calls are refused from then on. The owner is reminded a week and a day before."
        value={expires}
        onChange={(text) => onChange({ expires: text })}
      />
      <Field name="rate_limit" label="Calls per minute" hint="If empty, the limit of the server.">
        <NumberInput
          min={1}
          max={1_000_000}
          value={rate}
          onChange={(next) => onChange({ rate: String(next) })}
        />
      </Field>
    </>
  );
}
