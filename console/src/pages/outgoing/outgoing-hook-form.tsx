import { TextInput, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { OwnerField } from '../../parts/owner-field';
import { OneOf } from '../../parts/one-of';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { ALL_CHANNELS, ChannelSelect } from '../../parts/team-picker';
import { CallFields, PaceFields } from './call-fields';
import { authRefusal, callBodyOf, type CallValues, callValuesOf } from './call-values';
import { EventFields, type EventValues, TRIGGERED } from './event-fields';
import { type OutgoingHook, saveWarnings } from './outgoing-queries';
import { ReplyFields } from './reply-fields';
import { WordsPreview } from './words-preview';

interface OutgoingHookFormProps {
  readonly teamId: string;
  /** The webhook to edit; if undefined, a new one is created. */
  readonly hook?: OutgoingHook;
  readonly onSaved: (hook: OutgoingHook) => void;
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
/** Labels of `trigger_when`. */
const MATCHES = {
  0: 'Anywhere in the message',
  1: 'At the start of the message',
  2: 'The first word equals a trigger',
} as const;

interface Values extends CallValues, EventValues {
  readonly display_name: string;
  readonly description: string;
  readonly channel_id: string;
  readonly words: string;
  readonly trigger_when: OutgoingHook['trigger_when'];
  readonly urls: string;
  readonly content_type: typeof JSON_TYPE | typeof FORM;
  readonly username: string;
  readonly icon_url: string;
  readonly delivery: 'push' | 'pull';
}

/** The non-empty lines of a text. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const valuesOf = (hook: OutgoingHook | undefined): Values => ({
  display_name: hook?.display_name ?? '',
  description: hook?.description ?? '',
  channel_id: hook ? hook.channel_id || ALL_CHANNELS : '',
  words: hook?.trigger_words.join('\n') ?? '',
  trigger_when: hook?.trigger_when ?? 0,
  urls: hook?.callback_urls.join('\n') ?? '',
  content_type: hook?.content_type === FORM ? FORM : JSON_TYPE,
  username: hook?.username ?? '',
  icon_url: hook?.icon_url ?? '',
  delivery: hook?.delivery ?? 'push',
  events: hook?.events ?? [TRIGGERED],
  bot_user_id: hook?.bot_user_id ?? '',
  include_bots: hook?.include_bots ?? false,
  ...callValuesOf(hook),
});

function bodyOf(values: Values) {
  const { display_name, description, trigger_when, content_type, username, icon_url, delivery } = values;
  const { events, bot_user_id, include_bots } = values;
  const isPulled = delivery === 'pull';
  return {
    ...{ display_name, description, trigger_when, content_type, username, icon_url, delivery },
    ...{ events: [...events], bot_user_id, include_bots },
    ...callBodyOf(values),
    ...(isPulled && { requests_per_second: 0 }),
    channel_id: idOf(values.channel_id),
    trigger_words: linesOf(values.words),
    callback_urls: isPulled ? [] : linesOf(values.urls),
  };
}

/** Whether any of the collapsed fields is set. */
const hasMore = ({ description, username, icon_url: icon }: Values): boolean =>
  [description, username, icon].some((text) => text !== '');

const hasCallFields = (values: Values): boolean =>
  [values.plain_headers, values.secret_headers, values.auth_type, values.ordering].some(
    (text) => text !== '',
  ) || values.requests_per_second > 0;

/** The API's channel id; empty for all channels. */
const idOf = (channel: string): string => (channel === ALL_CHANNELS ? '' : channel);

/** Changed fields only: resending a channel or URL makes the caller the user who set it. */
function changesOf<T extends object>(before: T, after: T): Partial<T> {
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof T]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<T>;
}

/** Creates or edits an outgoing webhook. */
export function OutgoingHookForm({ teamId, hook, onSaved }: OutgoingHookFormProps): ReactNode {
  const client = useQueryClient();
  const [before] = useState(() => valuesOf(hook));
  const [values, setValues] = useState(before);
  const [owner, setOwner] = useState('');
  const set = (changed: Partial<Values>): void => setValues({ ...values, ...changed });
  const isForAllChannels = values.channel_id === ALL_CHANNELS;
  const isPulled = values.delivery === 'pull';
  const mayChooseOwner = useIsTeamAdmin(teamId);
  const owned = owner && { creator_id: owner };
  const save = async (): Promise<void> => {
    const body = bodyOf(values);
    const saved = hook
      ? await answerOf(
          api.PATCH('/api/v4/hooks/outgoing/{hook_id}', {
            params: { path: { hook_id: hook.id } },
            body: changesOf(bodyOf(before), body),
          }),
        )
      : await answerOf(api.POST('/api/v4/hooks/outgoing', { body: { ...body, ...owned, team_id: teamId } }));
    client.setQueryData(saveWarnings(saved.id).queryKey, saved.warnings ?? []);
    await client.invalidateQueries({ queryKey: ['outgoing'] });
    onSaved(saved);
  };
  return (
    <Form action={hook ? 'Save' : 'Add'} onSubmit={save} explain={authRefusal}>
      <Field name="display_name" label="Name">
        <TextInput
          value={values.display_name}
          onChange={({ target }) => set({ display_name: target.value })}
          maxLength={64}
          required
          autoFocus
        />
      </Field>
      <Field name="delivery" label="Delivery">
        <OneOf
          choices={{ push: 'The server calls URLs', pull: 'Programs fetch the messages' }}
          value={values.delivery}
          onChange={(delivery) => set({ delivery })}
        />
      </Field>
      {!isPulled && (
        <Field name="callback_urls" label="URLs to call, one per line">
          <Textarea
            placeholder="https://ci.example.com/hook"
            rows={3}
            value={values.urls}
            onChange={({ target }) => set({ urls: target.value })}
            required
          />
        </Field>
      )}
      <Field
        name="channel_id"
        label="Channel"
        hint={isForAllChannels && 'It listens in every public channel of the team.'}
      >
        <ChannelSelect
          teamId={teamId}
          value={values.channel_id}
          onChange={(id) => set({ channel_id: id })}
          hasAll
        />
      </Field>
      <Field
        name="trigger_words"
        label="Trigger words, one per line"
        hint={
          isForAllChannels
            ? 'At least one, because it listens in all public channels.'
            : 'Without any, it fires on every message in the channel.'
        }
      >
        <Textarea
          rows={3}
          required={isForAllChannels && values.events.includes(TRIGGERED)}
          value={values.words}
          onChange={({ target }) => set({ words: target.value })}
        />
      </Field>
      <Field name="trigger_when" label="How they match">
        <OneOf
          choices={MATCHES}
          value={`${values.trigger_when}`}
          onChange={(when) => set({ trigger_when: Number(when) as OutgoingHook['trigger_when'] })}
        />
      </Field>
      <WordsPreview
        teamId={teamId}
        hook={hook}
        channelId={idOf(values.channel_id)}
        words={linesOf(values.words)}
        when={values.trigger_when}
      />
      <Field name="content_type" label="Sent as">
        <OneOf
          choices={[JSON_TYPE, FORM]}
          value={values.content_type}
          onChange={(content_type) => set({ content_type })}
        />
      </Field>
      <details className="more-fields" open={before.events.join() !== TRIGGERED}>
        <summary>Events</summary>
        <EventFields values={values} onChange={set} />
      </details>
      <details className="more-fields" open={hasCallFields(before)}>
        <summary>Headers, authentication, order</summary>
        <CallFields values={values} storedAuth={before.auth_type} onChange={set} />
        <PaceFields values={values} isPulled={isPulled} onChange={set} />
      </details>
      <details className="more-fields" open={hasMore(before)}>
        <summary>More</summary>
        <Field name="description" label="Description">
          <TextInput
            value={values.description}
            onChange={({ target }) => set({ description: target.value })}
            maxLength={500}
          />
        </Field>
        <ReplyFields username={values.username} iconUrl={values.icon_url} onChange={set} />
        {!hook && mayChooseOwner && (
          <OwnerField
            field="creator_id"
            teamId={teamId}
            hint="Replies are posted in their name, and they are notified of failures."
            userId={owner}
            onChange={setOwner}
          />
        )}
      </details>
    </Form>
  );
}
