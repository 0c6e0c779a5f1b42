import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Field } from '../../parts/field';
import { myTeams } from '../../parts/team-picker';

interface TeamFieldProps {
  readonly teamId: string;
  readonly onChoose: (teamId: string) => void;
}

/** Selects the team in which the other server's channels appear. */
export function TeamField({ teamId, onChoose }: TeamFieldProps): ReactNode {
  const { data: teams = [], isSuccess } = useQuery(myTeams);
  const isForeign = teamId !== '' && isSuccess && !teams.some(({ id }) => id === teamId);
  return (
    <Field name="team" label="Team" hint="Channels of the other server appear in this team.">
      <Select
        searchable
        required
        allowDeselect={false}
        placeholder="Choose a team"
        data={[
          ...(isForeign ? [{ value: teamId, label: 'The current team, which you are not in' }] : []),
          ...teams.map(({ id, display_name: label }) => ({ value: id, label })),
        ]}
        value={teamId || null}
        onChange={(id) => id !== null && onChoose(id)}
      />
    </Field>
  );
}
