import { Checkbox } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { nameFrom } from '../../parts/name-from';
import { TextFields } from '../people/parts';
import type { Channel, Team } from './team-queries';

/** Fields of the names of a team or channel; the one in URLs only for a new one. */
const namesOf = (kind: 'team' | 'channel', title: string, isNew: boolean) => ({
  display_name: { label: 'Name', required: true, maxLength: 64 },
  ...(isNew && {
    name: {
      ...{ label: 'In URLs', placeholder: nameFrom(title, kind), maxLength: 64 },
      hint: 'Lower-case letters, digits and hyphens. It cannot be changed later.',
    },
  }),
});

interface TeamFormProps {
  /** The team to edit; if undefined, a new one is created. */
  readonly team?: Team;
  readonly onSaved: (team: Team) => void;
}

/** Creates or edits a team. */
export function TeamForm({ team, onSaved }: TeamFormProps): ReactNode {
  const [values, setValues] = useState({
    ...{ display_name: team?.display_name ?? '', name: '', description: team?.description ?? '' },
  });
  const [isOpen, setOpen] = useState(team?.allow_open_invite ?? true);
  const { name, ...texts } = values;
  const save = async (): Promise<void> => {
    const body = { ...texts, allow_open_invite: isOpen };
    const made = { name: name || nameFrom(texts.display_name, 'team'), type: isOpen ? 'O' : 'I' } as const;
    const saved = await answerOf(
      team
        ? api.PUT('/api/v4/teams/{team_id}/patch', { params: { path: { team_id: team.id } }, body })
        : api.POST('/api/v4/teams', { body: { ...body, ...made } }),
    );
    await queries.invalidateQueries({ queryKey: ['teams'] });
    onSaved(saved);
  };
  const fields = {
    ...namesOf('team', texts.display_name, !team),
    description: { label: 'Description', maxLength: 255 },
  };
  return (
    <Form action={team ? 'Save' : 'Add'} onSubmit={save}>
      <TextFields fields={fields} values={values} onChange={setValues} />
      <Field name="allow_open_invite type" label="Anyone with an account may join">
        <Checkbox checked={isOpen} onChange={({ target }) => setOpen(target.checked)} />
      </Field>
    </Form>
  );
}

interface ChannelFormProps {
  readonly teamId: string;
  /** The channel to edit; if undefined, a new one is created. */
  readonly channel?: Channel;
  readonly onSaved: () => void;
}

/** Creates or edits a channel. */
export function ChannelForm({ teamId, channel, onSaved }: ChannelFormProps): ReactNode {
  const [values, setValues] = useState({
    ...{ display_name: channel?.display_name ?? '', name: '', purpose: channel?.purpose ?? '' },
  });
  const [isPrivate, setPrivate] = useState(false);
  const { name, ...body } = values;
  const save = async (): Promise<void> => {
    const made = {
      name: name || nameFrom(body.display_name, 'channel'),
      type: isPrivate ? 'P' : 'O',
    } as const;
    await answerOf(
      channel
        ? api.PUT('/api/v4/channels/{channel_id}/patch', {
            params: { path: { channel_id: channel.id } },
            body,
          })
        : api.POST('/api/v4/channels', { body: { ...body, ...made, team_id: teamId } }),
    );
    await queries.invalidateQueries({ queryKey: ['teams'] });
    await queries.invalidateQueries({ queryKey: ['channels'] });
    onSaved();
  };
  const fields = {
    ...namesOf('channel', body.display_name, !channel),
    purpose: { label: 'Purpose', maxLength: 250 },
  };
  return (
    <Form action={channel ? 'Save' : 'Add'} onSubmit={save}>
      <TextFields fields={fields} values={values} onChange={setValues} />
      {!channel && (
        <Field name="type" label="Private: only members see it">
          <Checkbox checked={isPrivate} onChange={({ target }) => setPrivate(target.checked)} />
        </Field>
      )}
    </Form>
  );
}
