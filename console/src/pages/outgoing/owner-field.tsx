import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, ApiError } from '../../api/client';
import { Field } from '../../parts/field';
import { useSettled } from '../../parts/use-settled';

const nameOf = (typed: string): string => typed.trim().replace(/^@/, '').toLowerCase();

/** The account of a username. */
export const ownerNamed = (typed: string) =>
  queryOptions({
    queryKey: ['users', 'named', nameOf(typed)],
    queryFn: () =>
      answerOf(
        api.GET('/api/v4/users/username/{username}', { params: { path: { username: nameOf(typed) } } }),
      ),
    staleTime: 60_000,
  });

interface OwnerFieldProps {
  readonly value: string;
  readonly onChange: (username: string) => void;
}

/** Whose webhook it will be, by the username; one's own without any. */
export function OwnerField({ value, onChange }: OwnerFieldProps): ReactNode {
  const settled = useSettled(value);
  const { data, error } = useQuery({ ...ownerNamed(settled), enabled: nameOf(settled) !== '' });
  const isMissing = settled === value && error instanceof ApiError && error.status === 404;
  return (
    <Field
      name="creator_id"
      label="Owner"
      hint={
        data && settled === value
          ? `Answers are posted as ${data.username}, who is told of failures.`
          : 'A username; it is yours if this is empty. Cannot be changed later.'
      }
      fault={isMissing ? 'Nobody has this username.' : undefined}
    >
      <input
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
}
