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
      <select value={teamId} onChange={({ target }) => onChoose(target.value)} required>
        {teamId === '' && <option value="">Choose a team</option>}
        {isForeign && <option value={teamId}>The current team, which you are not in</option>}
        {teams.map(({ id, display_name: title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}
