import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { expiryOf, expiryText } from '../../parts/expiry-field';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { OwnerField } from '../../parts/owner-field';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { ChannelSelect } from '../../parts/team-picker';
import { FormatFields } from './format-fields';
import { hookRefusal, StillLocked } from './hook-refusals';
import type { IncomingHook } from './incoming-queries';
import { type Limits, LimitFields } from './limit-fields';
import { VerifierFields } from './verifier-fields';
import { draftOf, verifierChange } from './verifiers';

interface IncomingHookFormProps {
  readonly teamId: string;
  /** The webhook to edit; if undefined, a new one is created. */
  readonly hook?: IncomingHook;
  readonly onSaved: (hook: IncomingHook) => void;
}

const limitsOf = (hook: IncomingHook | undefined): Limits => ({
  slack_path: hook?.slack_path ?? '',
  expires: expiryText(hook?.expires_at ?? 0),
  rate: hook?.rate_limit ? String(hook.rate_limit) : '',
});

/** An unchanged time is not sent: it may be in the past. */
const limitsBody = (before: Limits, { slack_path: path, expires, rate }: Limits) => ({
  slack_path: path.trim(),
  rate_limit: Number(rate),
  ...(expires !== before.expires && { expires_at: expiryOf(expires) }),
});

/** Creates or edits an incoming webhook. */
export function IncomingHookForm({ teamId, hook, onSaved }: IncomingHookFormProps): ReactNode {
  const client = useQueryClient();
  const [values, setValues] = useState({
    display_name: hook?.display_name ?? '',
    description: hook?.description ?? '',
    channel_id: hook?.channel_id ?? '',
    username: hook?.username ?? '',
    icon_url: hook?.icon_url ?? '',
    channel_locked: hook?.channel_locked ?? false,
    keep_requests: hook?.keep_requests ?? false,
  });
  const [reading, setReading] = useState({
    format: hook?.format ?? 'mattermost',
    template: hook?.template ?? '',
  });
  const [verifierBefore] = useState(() => draftOf(hook?.verifier ?? null));
  const [verifier, setVerifier] = useState(verifierBefore);
  const [limitsBefore] = useState(() => limitsOf(hook));
  const [limits, setLimits] = useState(limitsBefore);
  const [owner, setOwner] = useState('');
  const mayChooseOwner = useIsTeamAdmin(teamId);
  const set = (changed: Partial<typeof values>): void => setValues({ ...values, ...changed });
  const save = async (): Promise<void> => {
    const owned = owner && { user_id: owner };
    const body = {
      ...values,
      format: reading.format,
      ...(reading.format === 'template' && { template: reading.template }),
      ...limitsBody(limitsBefore, limits),
      ...verifierChange(verifierBefore, verifier),
    };
    const saved = hook
      ? await answerOf(
          api.PUT('/api/v4/hooks/incoming/{hook_id}', {
            params: { path: { hook_id: hook.id } },
            body: { id: hook.id, ...body },
          }),
        )
      : await answerOf(api.POST('/api/v4/hooks/incoming', { body: { ...body, ...owned } }));
    await client.invalidateQueries({ queryKey: ['incoming'] });
    if (hook && saved.channel_locked && !values.channel_locked) {
      set({ channel_locked: true });
      throw new StillLocked();
    }
    onSaved(saved);
  };
  return (
    <Form action={hook ? 'Save' : 'Add'} onSubmit={save} explain={hookRefusal}>
      <Field name="display_name" label="Name">
        <TextInput
          value={values.display_name}
          onChange={({ target }) => set({ display_name: target.value })}
          maxLength={64}
          autoFocus
        />
      </Field>
      <Field name="description" label="Description">
        <TextInput
          value={values.description}
          onChange={({ target }) => set({ description: target.value })}
          maxLength={500}
        />
      </Field>
      <Field name="channel_id" label="Channel" hint="Where its messages appear.">
        <ChannelSelect teamId={teamId} value={values.channel_id} onChange={(id) => set({ channel_id: id })} />
      </Field>
      <FormatFields {...reading} onChange={(changed) => setReading({ ...reading, ...changed })} />
      <VerifierFields
        draft={verifier}
        isStored={verifier.choice === verifierBefore.choice}
        onChange={(changed) => setVerifier({ ...verifier, ...changed })}
      />
      <Field
        name="username"
        label="Shown as"
        hint="The name shown with its messages. If empty, that of the webhook's owner."
      >
        <TextInput value={values.username} onChange={({ target }) => set({ username: target.value })} />
      </Field>
      <Field name="icon_url" label="Picture" hint="The URL of an image shown with its messages.">
        <TextInput
          type="url"
          maxLength={1024}
          value={values.icon_url}
          onChange={({ target }) => set({ icon_url: target.value })}
        />
      </Field>
      {!hook && mayChooseOwner && (
        <OwnerField
          field="user_id"
          teamId={teamId}
          hint="In private channels, it can post only where its owner can."
          userId={owner}
          onChange={setOwner}
        />
      )}
      <Field name="channel_locked" label="Post to this channel only, even if a call asks for another">
        <Checkbox
          checked={values.channel_locked}
          onChange={({ target }) => set({ channel_locked: target.checked })}
        />
      </Field>
      <Field name="keep_requests" label="Keep all calls, to view and replay them">
        <Checkbox
          checked={values.keep_requests}
          onChange={({ target }) => set({ keep_requests: target.checked })}
        />
      </Field>
      <details className="more-fields" open={Object.values(limitsBefore).some((text) => text !== '')}>
        <summary>More</summary>
        <LimitFields {...limits} onChange={(changed) => setLimits({ ...limits, ...changed })} />
      </details>
    </Form>
  );
}
