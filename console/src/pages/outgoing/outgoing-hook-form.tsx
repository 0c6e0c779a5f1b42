import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { ChannelSelect } from '../../parts/team-picker';
import type { OutgoingHook } from './outgoing-queries';

interface OutgoingHookFormProps {
  readonly teamId: string;
  /** The webhook that is changed; without it one is made. */
  readonly hook?: OutgoingHook;
  readonly onSaved: (hook: OutgoingHook) => void;
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

interface Values {
  readonly display_name: string;
  readonly description: string;
  readonly channel_id: string;
  readonly words: string;
  readonly trigger_when: 0 | 1;
  readonly urls: string;
  readonly content_type: typeof JSON_TYPE | typeof FORM;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Makes or changes an outgoing webhook. */
export function OutgoingHookForm({ teamId, hook, onSaved }: OutgoingHookFormProps): ReactNode {
  const client = useQueryClient();
  const [values, setValues] = useState<Values>({
    display_name: hook?.display_name ?? '',
    description: hook?.description ?? '',
    channel_id: hook?.channel_id ?? '',
    words: hook?.trigger_words.join('\n') ?? '',
    trigger_when: hook?.trigger_when === 1 ? 1 : 0,
    urls: hook?.callback_urls.join('\n') ?? '',
    content_type: hook?.content_type === FORM ? FORM : JSON_TYPE,
  });
  const set = (changed: Partial<Values>): void => setValues({ ...values, ...changed });
  const save = async (): Promise<void> => {
    const { words, urls, ...rest } = values;
    const body = { ...rest, trigger_words: linesOf(words), callback_urls: linesOf(urls) };
    const saved = hook
      ? await answerOf(
          api.PATCH('/api/v4/hooks/outgoing/{hook_id}', { params: { path: { hook_id: hook.id } }, body }),
        )
      : await answerOf(api.POST('/api/v4/hooks/outgoing', { body: { ...body, team_id: teamId } }));
    await client.invalidateQueries({ queryKey: ['outgoing'] });
    onSaved(saved);
  };
  return (
    <Form action={hook ? 'Save' : 'Add'} onSubmit={save}>
      <Field label="Name">
        <input
          value={values.display_name}
          onChange={({ target }) => set({ display_name: target.value })}
          maxLength={64}
          required
          autoFocus
        />
      </Field>
      <Field label="Description">
        <input
          value={values.description}
          onChange={({ target }) => set({ description: target.value })}
          maxLength={500}
        />
      </Field>
      <Field
        label="Channel"
        hint={
          values.channel_id === '' ? 'It hears every public channel of the team. It needs words then.' : ''
        }
      >
        <ChannelSelect
          teamId={teamId}
          value={values.channel_id}
          onChoose={(id) => set({ channel_id: id })}
          none="All public channels"
        />
      </Field>
      <Field label="Trigger words, one a line" hint="Without words it fires on every message of its channel.">
        <textarea rows={3} value={values.words} onChange={({ target }) => set({ words: target.value })} />
      </Field>
      <Field label="A message fires it">
        <select
          value={values.trigger_when}
          onChange={({ target }) => set({ trigger_when: target.value === '1' ? 1 : 0 })}
        >
          <option value={0}>if its first word is one of them</option>
          <option value={1}>if it begins with one of them</option>
        </select>
      </Field>
      <Field label="Addresses to call, one a line">
        <textarea
          rows={3}
          value={values.urls}
          onChange={({ target }) => set({ urls: target.value })}
          required
        />
      </Field>
      <Field label="Sent as">
        <select
          value={values.content_type}
          onChange={({ target }) => set({ content_type: target.value === FORM ? FORM : JSON_TYPE })}
        >
          <option>{JSON_TYPE}</option>
          <option>{FORM}</option>
        </select>
      </Field>
    </Form>
  );
}

/** Which webhooks a message would call, while it is typed. Nothing is sent. */
export function TryWords({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [message, setMessage] = useState('');
  const [channelId, setChannelId] = useState(hook.channel_id);
  const tried = useDeferredValue(message);
  const { data, error } = useQuery({
    queryKey: ['explain', channelId, tried],
    queryFn: () =>
      answerOf(
        api.POST('/api/v4/hooks/outgoing/explain', { body: { channel_id: channelId, message: tried } }),
      ),
    enabled: channelId !== '' && tried !== '',
  });
  const mine = data?.hooks.find(({ hook_id: id }) => id === hook.id);
  return (
    <div className="split">
      <div>
        <Field label="In the channel">
          <ChannelSelect teamId={hook.team_id} value={channelId} onChoose={setChannelId} />
        </Field>
        <Field label="A message">
          <input value={message} onChange={({ target }) => setMessage(target.value)} />
        </Field>
      </div>
      <p role="status">
        {error ? (
          <span className="fault">{error.message}</span>
        ) : mine ? (
          <>
            <b>{mine.fires ? `Fires on “${mine.trigger_word}”. ` : 'Does not fire. '}</b>
            {mine.explanation}
          </>
        ) : (
          <span className="muted">
            Type a message to see whether it would call this webhook. Nothing is sent.
          </span>
        )}
      </p>
    </div>
  );
}
