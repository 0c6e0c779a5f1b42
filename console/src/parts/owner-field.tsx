import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { answerOf, api } from '../api/client';
import { useUser } from '../app/session';
import { Field } from './field';
import { useSettled } from './use-settled';

const MAX_OFFERED = 10;

const members = (teamId: string, term: string) =>
  queryOptions({
    queryKey: ['people', 'of-team', teamId, term],
    queryFn: () =>
      answerOf(api.POST('/api/v4/users/search', { body: { term, team_id: teamId, limit: MAX_OFFERED } })),
    enabled: term !== '',
    placeholderData: keepPreviousData,
  });

interface OwnerFieldProps {
  /** API field name. */
  readonly field: 'user_id' | 'creator_id';
  readonly teamId: string;
  /** Explains the role of the owner. */
  readonly hint: string;
  readonly name: string;
  readonly onChange: (name: string) => void;
}

/** Username of a new webhook's owner, with suggestions from the team. */
export function OwnerField({ field, teamId, hint, name, onChange }: OwnerFieldProps): ReactNode {
  const list = useId();
  const user = useUser();
  const { data: found = [] } = useQuery(members(teamId, useSettled(name)));
  return (
    <Field name={field} label="Owner" hint={`A username. If empty, your own. ${hint}`}>
      <input
        list={list}
        autoComplete="off"
        maxLength={64}
        placeholder={user.username}
        value={name}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {found.map(({ id, username }) => (
          <option key={id} value={username} />
        ))}
      </datalist>
    </Field>
  );
}
