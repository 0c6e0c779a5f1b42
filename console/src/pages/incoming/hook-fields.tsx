import { Checkbox, NumberInput, TextInput, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { siteAddress } from '../../api/site';
import { ExpiryField, expiryOf, expiryText } from '../../parts/expiry-field';
import { Field } from '../../parts/field';
import type { Explanation } from '../../parts/form';
import { OneOf } from '../../parts/one-of';
import { randomText } from '../../parts/random-text';
import { SecretInput } from '../../parts/secret-input';
import { ChannelSelect } from '../../parts/team-picker';
import { WebLink } from '../../parts/web-link';
import { Editor } from './editor';
import type { IncomingHook } from './incoming-queries';
import { type Format, FORMATS, titlesOf } from './senders';

/** First values of the fields of a webhook, or of a new one. */
export const valuesOf = (hook?: IncomingHook) => ({
  display_name: hook?.display_name ?? '',
  description: hook?.description ?? '',
  channel_id: hook?.channel_id ?? '',
  channel_locked: hook?.channel_locked ?? false,
  format: hook?.format ?? ('mattermost' as Format),
  template: hook?.template ?? '',
  username: hook?.username ?? '',
  icon_url: hook?.icon_url ?? '',
  keep_requests: hook?.keep_requests ?? false,
  rate: hook?.rate_limit ? String(hook.rate_limit) : '',
  expires: expiryText(hook?.expires_at ?? 0),
  slack_path: hook?.slack_path ?? '',
  rocketchat_path: hook?.rocketchat_path ?? '',
});

type HookForm = UseFormReturnType<ReturnType<typeof valuesOf>>;

interface FieldsProps {
  readonly form: HookForm;
}

/** What a request sends. An unchanged time is left out: it may be in the past. */
export function bodyOf(form: HookForm) {
  const { rate, expires, template, ...values } = form.getValues();
  return {
    ...values,
    ...(values.format === 'template' && { template }),
    slack_path: values.slack_path.trim(),
    rocketchat_path: values.rocketchat_path.trim(),
    rate_limit: Number(rate),
    ...(form.isDirty('expires') && { expires_at: expiryOf(expires) }),
  };
}

/** The webhook was saved, but the user may not unlock it. */
export class StillLocked extends Error {
  override message =
    'Everything else was saved. The webhook still posts to this channel only; you may not change that.';
}

/** The field for a refusal that does not name one. */
export const explainRefusal = (error: Error): Explanation | undefined =>
  error instanceof StillLocked ? { field: 'channel_locked' } : undefined;

interface TextFieldProps extends FieldsProps, Pick<TextInputProps, 'type' | 'maxLength'> {
  readonly name: 'display_name' | 'description' | 'username' | 'icon_url';
  readonly label: string;
  readonly hint?: string;
}

const TextField = ({ form, name, label, hint, ...input }: TextFieldProps): ReactNode => (
  <Field name={name} label={label} hint={hint}>
    <TextInput {...input} {...form.getInputProps(name)} />
  </Field>
);

/** What it is called, and where its messages go. */
export const GeneralFields = ({ form, teamId }: FieldsProps & { readonly teamId: string }): ReactNode => (
  <>
    <Field name="channel_id" label="Channel" hint="Where its messages appear.">
      <ChannelSelect
        teamId={teamId}
        value={form.getValues().channel_id}
        onChange={(id) => form.setFieldValue('channel_id', id)}
      />
    </Field>
    <TextField form={form} name="display_name" label="Name" maxLength={64} />
    <TextField form={form} name="description" label="Description" maxLength={500} />
  </>
);

/** How its messages look. */
export const MessageFields = ({ form }: FieldsProps): ReactNode => (
  <>
    <FormatFields {...form.getValues()} onChange={(changed) => form.setValues(changed)} />
    <TextField
      {...{ form, name: 'username', label: 'Shown as' }}
      hint="The name shown with its messages. If empty, that of the webhook's owner."
    />
    <TextField
      {...{ form, name: 'icon_url', label: 'Picture', type: 'url', maxLength: 1024 }}
      hint="The URL of an image shown with its messages."
    />
  </>
);

const newSlackPath = (): string => `T${randomText(10)}/B${randomText(10)}/${randomText(32)}`;
const newRocketChatPath = (): string => `${randomText(17)}/${randomText(32)}`;

/** Which calls are accepted and kept, and further URLs. */
export const CallFields = ({ form }: FieldsProps): ReactNode => (
  <>
    <Field name="channel_locked" label="Lock to this channel, even if a call asks for another">
      <Checkbox {...form.getInputProps('channel_locked', { type: 'checkbox' })} />
    </Field>
    <Field name="keep_requests" label="Keep all calls, to view and replay them">
      <Checkbox {...form.getInputProps('keep_requests', { type: 'checkbox' })} />
    </Field>
    <Field name="rate_limit" label="Calls per minute" hint="If empty, the limit of the server.">
      <NumberInput min={1} max={1_000_000} {...form.getInputProps('rate')} />
    </Field>
    <ExpiryField
      hint="Calls are refused from then on. The owner is reminded a week and a day before."
      value={form.getValues().expires}
      onChange={(text) => form.setFieldValue('expires', text)}
    />
    <Field
      name="slack_path"
      label="Slack path"
      hint={`For senders that accept only URLs of Slack: also called at ${siteAddress()}services/…`}
    >
      <SecretInput
        {...{ what: 'a Slack path', generate: newSlackPath, placeholder: 'T…/B…/…' }}
        {...form.getInputProps('slack_path')}
      />
    </Field>
    <Field
      name="rocketchat_path"
      label="Rocket.Chat path"
      hint={`For senders of Rocket.Chat, instead of a Slack path: also called at ${siteAddress()}hooks/…`}
    >
      <SecretInput
        {...{ what: 'a Rocket.Chat path', generate: newRocketChatPath, placeholder: 'ID/token' }}
        {...form.getInputProps('rocketchat_path')}
      />
    </Field>
  </>
);

/** How calls are read. */
export interface Reading {
  readonly format: Format;
  readonly template: string;
}

interface FormatFieldsProps extends Reading {
  readonly onChange: (changed: Partial<Reading>) => void;
  readonly faultyLine?: number | undefined;
}

/** The format of a webhook, with its template. */
export const FormatFields = ({ format, template, onChange, faultyLine }: FormatFieldsProps): ReactNode => (
  <>
    <Field name="format" label="Format" hint={FORMATS[format][1]}>
      <OneOf
        searchable
        choices={titlesOf(FORMATS)}
        value={format}
        onChange={(chosen) => onChange({ format: chosen })}
      />
    </Field>
    {format === 'template' && (
      <Field
        name="template"
        label="Template"
        hint={
          <>
            A <WebLink to="https://liquidjs.com">Liquid</WebLink> template over <code>body</code>,{' '}
            <code>headers</code> and <code>query</code>.
          </>
        }
      >
        <Editor
          required
          placeholder={'{{ body.job }} is {{ body.status }}'}
          faultyLine={faultyLine}
          value={template}
          onChange={(text) => onChange({ template: text })}
        />
      </Field>
    )}
  </>
);
