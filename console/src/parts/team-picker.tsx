import { Select, type SelectProps } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api, ApiError, type Schemas } from '../api/client';
import { useChosenTeam } from './chosen-team';

const NO_CHANNELS = 'app.channel.get_channels.not_found.app_error';

/** Teams of the user. */
export const myTeams = queryOptions({
  queryKey: ['teams'],
  queryFn: () => answerOf(api.GET('/api/v4/users/{user_id}/teams', { params: { path: { user_id: 'me' } } })),
});

/** Channels of a team that the user has joined. */
export const myChannels = (teamId: string) =>
  queryOptions({
    queryKey: ['channels', teamId],
    queryFn: () => readMyChannels(teamId),
    enabled: teamId !== '',
  });

/** The server responds with an error status if the user has no channels. */
async function readMyChannels(teamId: string): Promise<Schemas['ChannelDto'][]> {
  try {
    const path = { user_id: 'me', team_id: teamId };
    return await answerOf(api.GET('/api/v4/users/{user_id}/teams/{team_id}/channels', { params: { path } }));
  } catch (error) {
    if (error instanceof ApiError && error.id === NO_CHANNELS) return [];
    throw error;
  }
}

/** The selected team, shared by all pages. */
export function useTeam(): readonly [teamId: string, choose: (teamId: string) => void] {
  const { data: teams = [] } = useQuery(myTeams);
  const [chosen, choose] = useChosenTeam();
  const isThere = teams.some(({ id }) => id === chosen);
  return [isThere ? chosen : (teams[0]?.id ?? ''), choose];
}

interface TeamPickerProps {
  readonly teamId: string;
  readonly onChoose: (teamId: string) => void;
}

/** Team select, shown if the user has several teams. */
export function TeamPicker({ teamId, onChoose }: TeamPickerProps): ReactNode {
  const { data: teams = [] } = useQuery(myTeams);
  if (teams.length < 2) return null;
  return (
    <Select
      aria-label="Team"
      size="xs"
      searchable
      allowDeselect={false}
      data={teams.map(toOption)}
      value={teamId}
      onChange={(id) => id !== null && onChoose(id)}
    />
  );
}

interface ChannelSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly teamId: string;
  readonly value: string;
  readonly onChange?: (channelId: string) => void;
  /** Whether `ALL_CHANNELS` is offered. */
  readonly hasAll?: boolean;
}

/** Stands for all public channels of a team. */
export const ALL_CHANNELS = 'all';

/** Select for the user's channels. */
export function ChannelSelect({
  teamId,
  value,
  onChange,
  hasAll = false,
  ...select
}: ChannelSelectProps): ReactNode {
  const { data: channels = [], isPending, error } = useQuery(myChannels(teamId));
  const isNone = value === '' || (hasAll && value === ALL_CHANNELS);
  const isForeign = !isNone && !isPending && !channels.some(({ id }) => id === value);
  const current = error ? 'The current channel' : 'The current channel, which you are not in';
  return (
    <Select
      searchable
      required
      allowDeselect={false}
      placeholder="Choose a channel"
      nothingFoundMessage={error ? error.message : 'No results'}
      data={[
        ...(hasAll ? [{ value: ALL_CHANNELS, label: 'All public channels' }] : []),
        ...(isForeign ? [{ value, label: current }] : []),
        ...channels.filter(isOfTeam).map(toOption),
      ]}
      value={value || null}
      onChange={(id) => onChange?.(id ?? '')}
      {...select}
    />
  );
}

interface Named {
  readonly id: string;
  readonly display_name: string;
}

const toOption = ({ id, display_name: label }: Named) => ({ value: id, label });

const isOfTeam = ({ type }: Schemas['ChannelDto']): boolean => type === 'O' || type === 'P';
