import { Button, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { FaultNote } from '../../parts/fault-note';
import { Field } from '../../parts/field';
import { useSettled } from '../../parts/use-settled';
import type { Person } from '../people/people-queries';
import { strangersTo } from './team-queries';

/** Finds accounts by name prefix, and adds the selected ones. */
export function AddMember({ teamId }: { readonly teamId: string }): ReactNode {
  const [term, setTerm] = useState('');
  const settled = useSettled(term);
  const [error, setError] = useState<Error | null>(null);
  const [adding, setAdding] = useState('');
  const [added, setAdded] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const search = useQuery({ ...strangersTo(teamId, settled), placeholderData: keepPreviousData });
  const found = term === '' ? [] : (search.data ?? []);
  const isAnswered = settled === term && search.isSuccess && !search.isPlaceholderData;
  const add = async ({ id, username }: Person): Promise<void> => {
    setError(null);
    setAdded('');
    setAdding(id);
    try {
      await answerOf(
        api.POST('/api/v4/teams/{team_id}/members', {
          params: { path: { team_id: teamId } },
          body: { team_id: teamId, user_id: id },
        }),
      );
      await queries.invalidateQueries({ queryKey: ['teams'] });
      setAdded(`${username} is in the team.`);
    } catch (fault) {
      setError(fault as Error);
    }
    setAdding('');
    field.current?.focus(); // the row of the added account is gone
  };
  return (
    <>
      <Field label="Name" hint="People and bots that are not in the team yet.">
        <TextInput
          ref={field}
          autoFocus
          type="search"
          value={term}
          onChange={({ target }) => setTerm(target.value)}
        />
      </Field>
      {error && <FaultNote error={error} />}
      {term !== '' && search.error && <FaultNote error={search.error} />}
      <p role="status">{added}</p>
      <ul className="plain-list" aria-label="Who can be added">
        {found.map((user) => (
          <li key={user.id} className="row">
            <span className="grow">{user.username}</span>
            <Button
              variant="default"
              size="compact-xs"
              disabled={adding !== ''}
              onClick={() => void add(user)}
              aria-label={`Add ${user.username}`}
            >
              {adding === user.id ? 'One moment…' : 'Add'}
            </Button>
          </li>
        ))}
      </ul>
      {term !== '' && isAnswered && found.length === 0 && <p className="muted">Nobody else has that name.</p>}
    </>
  );
}
