import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { nameFrom } from '../../parts/name-from';
import type { Channel } from './team-queries';

interface ChannelFormProps {
  readonly teamId: string;
  /** The channel to edit; if undefined, a new one is created. */
  readonly channel?: Channel;
  readonly onSaved: () => void;
}

/** Creates or edits a channel. */
export function ChannelForm({ teamId, channel, onSaved }: ChannelFormProps): ReactNode {
  const [title, setTitle] = useState(channel?.display_name ?? '');
  const [name, setName] = useState('');
  const [purpose, setPurpose] = useState(channel?.purpose ?? '');
  const [isPrivate, setPrivate] = useState(false);
  const save = async (): Promise<void> => {
    const body = { display_name: title, purpose };
    if (channel)
      await answerOf(
        api.PUT('/api/v4/channels/{channel_id}/patch', {
          params: { path: { channel_id: channel.id } },
          body,
        }),
      );
    else
      await answerOf(
        api.POST('/api/v4/channels', {
          body: {
            ...body,
            team_id: teamId,
            name: name || nameFrom(title, 'channel'),
            type: isPrivate ? 'P' : 'O',
          },
        }),
      );
    await queries.invalidateQueries({ queryKey: ['teams', teamId] });
    await queries.invalidateQueries({ queryKey: ['channels'] });
    onSaved();
  };
  return (
    <Form action={channel ? 'Save' : 'Add'} onSubmit={save}>
      <Field name="display_name" label="Name">
        <TextInput
          autoFocus
          required
          maxLength={64}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </Field>
      {!channel && (
        <Field
          name="name"
          label="In URLs"
          hint="Lower-case letters, digits, hyphens and underscores. It cannot be changed later."
        >
          <TextInput
            placeholder={nameFrom(title, 'channel')}
            maxLength={64}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
      )}
      <Field name="purpose" label="Purpose">
        <TextInput maxLength={250} value={purpose} onChange={({ target }) => setPurpose(target.value)} />
      </Field>
      {!channel && (
        <Field name="type" label="Private: only members see it">
          <Checkbox checked={isPrivate} onChange={({ target }) => setPrivate(target.checked)} />
        </Field>
      )}
    </Form>
  );
}
