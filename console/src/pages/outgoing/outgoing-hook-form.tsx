import { SegmentedControl, TextInput, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { OneOf } from '../../parts/one-of';
import { OwnerField } from '../../parts/owner-field';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { ALL_CHANNELS, ChannelSelect } from '../../parts/team-picker';
import { CallFields } from './call-fields';
import { authRefusal, callBodyOf, type CallValues, callValuesOf, linesOf } from './call-values';
import { EventFields, type EventValues, TRIGGERED } from './event-fields';
import { MATCHES, type OutgoingHook, saveWarnings } from './outgoing-queries';
import { WordsPreview } from './test-triggers';

interface OutgoingHookFormProps {
  readonly teamId: string;
  /** The webhook to edit; if undefined, a new one is created. */
  readonly hook?: OutgoingHook;
  readonly onSaved: (hook: OutgoingHook) => void;
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

type TextName = 'display_name' | 'description' | 'words' | 'urls' | 'username' | 'icon_url';

interface Values extends Readonly<Record<TextName, string>>, CallValues, EventValues {
  readonly channel_id: string;
  readonly trigger_when: OutgoingHook['trigger_when'];
  readonly content_type: typeof JSON_TYPE | typeof FORM;
  readonly delivery: OutgoingHook['delivery'];
}

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
  const {
    words,
    urls,
    plain_headers: _,
    secret_headers: __,
    auth_type: ___,
    auth_fields: ____,
    ...rest
  } = values;
  const isPulled = values.delivery === 'pull';
  return {
    ...rest,
    ...callBodyOf(values),
    ...(isPulled && { requests_per_second: 0 }),
    events: [...values.events],
    channel_id: idOf(values.channel_id),
    trigger_words: linesOf(words),
    callback_urls: isPulled ? [] : linesOf(urls),
  };
}

const isSet = (...values: readonly (string | number)[]): boolean => values.some(Boolean);

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
  const text = (name: TextName) => ({
    value: values[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set({ [name]: target.value }),
  });
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
        <TextInput {...text('display_name')} maxLength={64} required autoFocus />
      </Field>
      <SegmentedControl
        fullWidth
        mb="sm"
        aria-label="Delivery"
        data={[
          { value: 'push', label: 'Call URLs' },
          { value: 'pull', label: 'Let programs pull' },
        ]}
        value={values.delivery}
        onChange={(delivery) => set({ delivery: delivery as Values['delivery'] })}
      />
      {!isPulled && (
        <Field name="callback_urls" label="URLs, one per line">
          <Textarea
            placeholder="https://ci.example.com/hook"
            autosize
            minRows={2}
            required
            {...text('urls')}
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
        hint={isForAllChannels ? 'At least one.' : 'Without any, every message in the channel triggers it.'}
      >
        <Textarea
          autosize
          minRows={2}
          required={isForAllChannels && values.events.includes(TRIGGERED)}
          {...text('words')}
        />
      </Field>
      <Field name="trigger_when" label="Match">
        <OneOf
          choices={MATCHES}
          value={`${values.trigger_when}`}
          onChange={(when) => set({ trigger_when: Number(when) as Values['trigger_when'] })}
        />
      </Field>
      <Preview teamId={teamId} hook={hook} values={values} />
      <details className="more-fields" open={before.events.join() !== TRIGGERED}>
        <summary>Events</summary>
        <EventFields values={values} onChange={set} />
      </details>
      <details
        className="more-fields"
        open={isSet(
          before.plain_headers,
          before.secret_headers,
          before.auth_type,
          before.ordering,
          before.requests_per_second,
        )}
      >
        <summary>Headers, authentication, order</summary>
        <CallFields values={values} storedAuth={before.auth_type} isPulled={isPulled} onChange={set} />
      </details>
      <details className="more-fields" open={isSet(before.description, before.username, before.icon_url)}>
        <summary>More</summary>
        <Field name="description" label="Description">
          <TextInput {...text('description')} maxLength={500} />
        </Field>
        <Field name="content_type" label="Content type">
          <OneOf
            choices={[JSON_TYPE, FORM]}
            value={values.content_type}
            onChange={(content_type) => set({ content_type })}
          />
        </Field>
        <Field
          name="username"
          label="Replies are shown as"
          hint="Name shown with replies of the program. If empty, that of the owner."
        >
          <TextInput {...text('username')} maxLength={64} />
        </Field>
        <Field name="icon_url" label="Picture" hint="URL of an image shown with the replies.">
          <TextInput {...text('icon_url')} type="url" maxLength={1024} />
        </Field>
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

/** What the words would trigger on; for all channels, the user chooses one to try. */
function Preview({
  teamId,
  hook,
  values,
}: Partial<OutgoingHookFormProps> & { readonly teamId: string; readonly values: Values }): ReactNode {
  const [tried, setTried] = useState('');
  const channelId = idOf(values.channel_id);
  return (
    <>
      {values.channel_id === ALL_CHANNELS && (
        <Field label="Try on the messages of">
          <ChannelSelect required={false} teamId={teamId} value={tried} onChange={setTried} />
        </Field>
      )}
      <WordsPreview
        teamId={teamId}
        hook={hook}
        inChannel={channelId || tried}
        words={linesOf(values.words)}
        unsaved={{ channel_id: channelId, trigger_when: values.trigger_when }}
      />
    </>
  );
}
