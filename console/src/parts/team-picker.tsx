import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { answerOf, api, ApiError, type Schemas } from '../api/client';

const KEY = 'hookline.team';
const NO_CHANNELS = 'app.channel.get_channels.not_found.app_error';

/** The teams of the user. */
export const myTeams = queryOptions({
  queryKey: ['teams'],
  queryFn: () => answerOf(api.GET('/api/v4/users/{user_id}/teams', { params: { path: { user_id: 'me' } } })),
});

/** The channels of a team that the user is in. */
export const myChannels = (teamId: string) =>
  queryOptions({
    queryKey: ['channels', teamId],
    queryFn: () => readMyChannels(teamId),
    enabled: teamId !== '',
  });

/** Who is in none is told so by a status of its own. */
async function readMyChannels(teamId: string): Promise<Schemas['ChannelDto'][]> {
  try {
    const path = { user_id: 'me', team_id: teamId };
    return await answerOf(api.GET('/api/v4/users/{user_id}/teams/{team_id}/channels', { params: { path } }));
  } catch (error) {
    if (error instanceof ApiError && error.id === NO_CHANNELS) return [];
    throw error;
  }
}

/** The team that the user looks at, the same on every page. */
export function useTeam(): readonly [teamId: string, choose: (teamId: string) => void] {
  const { data: teams = [] } = useQuery(myTeams);
  const [chosen, setChosen] = useState(() => localStorage.getItem(KEY) ?? '');
  const isThere = teams.some(({ id }) => id === chosen);
  useEffect(() => {
    if (isThere) localStorage.setItem(KEY, chosen);
  }, [isThere, chosen]);
  return [isThere ? chosen : (teams[0]?.id ?? ''), setChosen];
}

interface TeamPickerProps {
  readonly teamId: string;
  readonly onChoose: (teamId: string) => void;
}

/** Chooses a team, where there are several. */
export function TeamPicker({ teamId, onChoose }: TeamPickerProps): ReactNode {
  const { data: teams = [] } = useQuery(myTeams);
  if (teams.length < 2) return null;
  return (
    <select aria-label="Team" value={teamId} onChange={({ target }) => onChoose(target.value)}>
      {teams.map(({ id, display_name: title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  );
}

interface ChannelSelectProps {
  readonly teamId: string;
  readonly value: string;
  readonly onChoose: (channelId: string) => void;
  /** What stands for no channel; without it one must be chosen. */
  readonly none?: string;
  /** Whether `ALL_CHANNELS` may be chosen. */
  readonly hasAll?: boolean;
}

/** Stands for all public channels of a team. */
export const ALL_CHANNELS = 'all';

/** Chooses one of the user's channels. */
export function ChannelSelect({
  teamId,
  value,
  onChoose,
  none,
  hasAll = false,
}: ChannelSelectProps): ReactNode {
  const { data: channels = [], isPending, error } = useQuery(myChannels(teamId));
  const isNone = value === '' || (hasAll && value === ALL_CHANNELS);
  const isForeign = !isNone && !isPending && !channels.some(({ id }) => id === value);
  return (
    <select value={value} onChange={({ target }) => onChoose(target.value)} required={none === undefined}>
      <option value="">{none ?? 'Choose a channel'}</option>
      {hasAll && <option value={ALL_CHANNELS}>All public channels</option>}
      {isForeign && (
        <option value={value}>
          {error ? 'The current channel' : 'The current channel, which you are not in'}
        </option>
      )}
      {error && <option disabled>{`The others could not be loaded: ${error.message}`}</option>}
      {channels.filter(isOfTeam).map((channel) => (
        <option key={channel.id} value={channel.id}>
          {channel.display_name}
        </option>
      ))}
    </select>
  );
}

const isOfTeam = ({ type }: Schemas['ChannelDto']): boolean => type === 'O' || type === 'P';
