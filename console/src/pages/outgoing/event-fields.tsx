import { Checkbox, Select, Stack } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { Field } from '../../parts/field';

export const TRIGGERED = 'message.triggered';

const EVENTS: Readonly<Record<string, string>> = {
  [TRIGGERED]: 'A message has a trigger word',
  'message.created': 'A message is written in the channel, whatever its text',
  'message.edited': 'A message is edited',
  'message.deleted': 'A message is deleted',
  'member.joined': 'A user joins a channel',
  'member.left': 'A user leaves a channel',
  'bot.mentioned': 'A message mentions the bot',
  'bot.direct_message': 'The bot gets a direct message',
  'webhook.failing': 'Another webhook of the team begins to fail',
  'webhook.recovered': 'Another webhook of the team works again',
  'connection.offline': 'The peer of a secure connection goes offline',
  'connection.online': 'The peer of a secure connection is back',
};

const MAX_BOTS = 200;

const choosableBots = queryOptions({
  queryKey: ['people', 'bots', 'choosable'],
  queryFn: () => answerOf(api.GET('/api/v4/bots', { params: { query: { per_page: MAX_BOTS } } })),
  retry: false,
});

export interface EventValues {
  readonly events: readonly string[];
  readonly bot_user_id: string;
  readonly include_bots: boolean;
}

interface EventFieldsProps {
  readonly values: EventValues;
  readonly onChange: (changed: Partial<EventValues>) => void;
}

/** Describes events in few words, one per line. */
export const describeEvents = (events: readonly string[]): ReactNode =>
  events.map((name) => <div key={name}>{EVENTS[name] ?? name}</div>);

/** The events of a webhook. */
export function EventFields({ values, onChange }: EventFieldsProps): ReactNode {
  const { events } = values;
  const needsBot = events.some((name) => name.startsWith('bot.'));
  return (
    <>
      <Field name="events" label="Deliver when">
        <Checkbox.Group value={[...events]} onChange={(chosen) => onChange({ events: chosen })}>
          <Stack gap="xs" mt="xs">
            {Object.entries(EVENTS).map(([name, text]) => (
              <Checkbox key={name} value={name} label={text} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Field>
      {needsBot && (
        <BotField value={values.bot_user_id} onChange={(bot_user_id) => onChange({ bot_user_id })} />
      )}
      <Field
        name="include_bots"
        label="Include messages of bots and webhooks"
        hint="Does not change trigger words."
      >
        <Checkbox
          checked={values.include_bots}
          onChange={({ target }) => onChange({ include_bots: target.checked })}
        />
      </Field>
    </>
  );
}

interface BotFieldProps {
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function BotField({ value, onChange }: BotFieldProps): ReactNode {
  const { data: bots = [] } = useQuery(choosableBots);
  const isListed = value === '' || bots.some(({ user_id: id }) => id === value);
  return (
    <Field name="bot_user_id" label="Bot" hint="It also writes the replies.">
      <Select
        searchable
        required
        allowDeselect={false}
        placeholder="Choose a bot"
        data={[
          ...(isListed ? [] : [value]),
          ...bots.map(({ user_id: id, username }) => ({ value: id, label: username })),
        ]}
        value={value || null}
        onChange={(id) => id !== null && onChange(id)}
      />
    </Field>
  );
}
