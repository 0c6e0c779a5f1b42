import type { ReactNode } from 'react';
import { answerOf, api } from '../api/client';
import { useUser } from '../app/session';
import { Field } from './field';
import { Picker, type PickerOption } from './picker';

const MAX_OFFERED = 10;

async function findMembers(teamId: string, term: string): Promise<PickerOption[]> {
  const body = { term, team_id: teamId, limit: MAX_OFFERED };
  const found = await answerOf(api.POST('/api/v4/users/search', { body }));
  return found.map(({ id, username }) => ({ value: id, label: username }));
}

interface OwnerFieldProps {
  /** API field name. */
  readonly field: 'user_id' | 'creator_id';
  readonly teamId: string;
  /** Explains the role of the owner. */
  readonly hint: string;
  readonly userId: string;
  readonly onChange: (userId: string) => void;
}

/** Owner of a new webhook, from the members of the team. */
export function OwnerField({ field, teamId, hint, userId, onChange }: OwnerFieldProps): ReactNode {
  const user = useUser();
  return (
    <Field name={field} label="Owner" hint={hint}>
      <Picker
        queryKey={['people', 'of-team', teamId]}
        find={(term) => findMembers(teamId, term)}
        placeholder={`${user.username} (you)`}
        value={userId}
        onChange={onChange}
      />
    </Field>
  );
}
