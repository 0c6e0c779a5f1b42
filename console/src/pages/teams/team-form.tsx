import { Checkbox, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { nameFrom } from '../../parts/name-from';
import type { Team } from './team-queries';

interface TeamFormProps {
  /** The team to edit; if undefined, a new one is created. */
  readonly team?: Team;
  readonly onSaved: (team: Team) => void;
}

/** Creates or edits a team. */
export function TeamForm({ team, onSaved }: TeamFormProps): ReactNode {
  const [title, setTitle] = useState(team?.display_name ?? '');
  const [name, setName] = useState('');
  const [description, setDescription] = useState(team?.description ?? '');
  const [isOpen, setOpen] = useState(team?.allow_open_invite ?? true);
  const save = async (): Promise<void> => {
    const body = { display_name: title, description, allow_open_invite: isOpen };
    const saved = team
      ? await answerOf(
          api.PUT('/api/v4/teams/{team_id}/patch', { params: { path: { team_id: team.id } }, body }),
        )
      : await answerOf(
          api.POST('/api/v4/teams', {
            body: { ...body, name: name || nameFrom(title, 'team'), type: isOpen ? 'O' : 'I' },
          }),
        );
    await queries.invalidateQueries({ queryKey: ['teams'] });
    onSaved(saved);
  };
  return (
    <Form action={team ? 'Save' : 'Add'} onSubmit={save}>
      <Field name="display_name" label="Name">
        <TextInput
          autoFocus
          required
          maxLength={64}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </Field>
      {!team && (
        <Field
          name="name"
          label="In URLs"
          hint="Lower-case letters, digits and hyphens. It cannot be changed later."
        >
          <TextInput
            placeholder={nameFrom(title, 'team')}
            maxLength={64}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
      )}
      <Field name="description" label="Description">
        <TextInput
          maxLength={255}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
      </Field>
      <Field name="allow_open_invite type" label="Anyone with an account may join">
        <Checkbox checked={isOpen} onChange={({ target }) => setOpen(target.checked)} />
      </Field>
    </Form>
  );
}
