import { Code, Group, Stack, Text } from '@mantine/core';
import { IconHash, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { teamRoute } from '../../app/router';
import { queries } from '../../app/services';
import { isAdmin, useUser } from '../../app/session';
import { Confirm } from '../../parts/confirm';
import { CutNote } from '../../parts/cut-note';
import { type Column, DataTable } from '../../parts/data-table';
import { DetailDrawer, useDetail } from '../../parts/detail-drawer';
import { DialogButton } from '../../parts/dialog-button';
import { Empty } from '../../parts/empty';
import { Facts } from '../../parts/facts';
import { FilterChips } from '../../parts/filter-chips';
import { Growing } from '../../parts/growing';
import { Loaded } from '../../parts/loaded';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import type { Status } from '../../parts/statuses';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { Time } from '../../parts/time';
import { LinkButton, NameLink, RowActions } from '../people/parts';
import { Members } from './members';
import { ChannelForm } from './team-forms';
import { ARCHIVED, type Channel, channelsOf } from './team-queries';

const FILTERS = {
  kind: { label: 'Kind', choices: { public: 'Public', private: 'Private' } },
  state: { label: 'State', choices: { active: 'Active', archived: 'Archived' } },
} as const;
const KINDS: Readonly<Record<'public' | 'private', Status>> = {
  public: { tone: 'quiet', text: 'Public', icon: IconHash },
  private: { tone: 'quiet', text: 'Private', icon: IconLock },
};
const kindOf = ({ type }: Channel): 'private' | 'public' => (type === 'P' ? 'private' : 'public');
const stateOf = ({ delete_at: at }: Channel): 'archived' | 'active' => (at > 0 ? 'archived' : 'active');

interface TeamChannelsProps {
  readonly teamId: string;
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** Channels of a team, including archived ones. */
export function TeamChannels({ teamId, search, onSearch }: TeamChannelsProps): ReactNode {
  const given = teamRoute.useSearch();
  const navigate = useNavigate();
  const query = useQuery(channelsOf(teamId, isAdmin(useUser())));
  const mayManage = useIsTeamAdmin(teamId);
  const [openId, open] = useDetail('channel');
  const text = search.toLowerCase();
  const isShown = (one: Channel): boolean =>
    `${one.display_name} ${one.name} ${one.purpose}`.toLowerCase().includes(text) &&
    kindOf(one) === (given.kind ?? kindOf(one)) &&
    stateOf(one) === (given.state ?? stateOf(one));
  const columns: readonly Column<Channel>[] = [
    {
      title: 'Channel',
      cell: (one) => (
        <>
          <NameLink to="/teams/$teamId" params={{ teamId }} search={{ ...given, channel: one.id }}>
            {one.display_name}
          </NameLink>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {one.purpose}
          </Text>
        </>
      ),
    },
    { title: 'State', width: 200, onPhone: 'corner', cell: (one) => <ChannelBadges channel={one} /> },
    { title: 'Messages', width: 100, isNumber: true, cell: (one) => one.total_msg_count.toLocaleString() },
    { title: 'Last message', width: 120, cell: (one) => <Time at={one.last_post_at} /> },
    ...(mayManage
      ? [{ title: '', width: 140, cell: (one: Channel) => <ChannelActions channel={one} /> }]
      : []),
  ];
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="xs">
          <SearchField label="Search channels" value={search} onSearch={onSearch} />
          <FilterChips
            filters={FILTERS}
            values={given}
            onChange={(values) => void navigate({ to: '.', search: values })}
          />
        </Group>
        <DialogButton label="Add a channel" title="Add a channel" kind="primary">
          {(close) => <ChannelForm teamId={teamId} onSaved={close} />}
        </DialogButton>
      </Group>
      <Loaded query={query}>
        {(channels) => (
          <>
            <CutNote count={channels.length} />
            <Growing key={`${text} ${given.kind} ${given.state}`} items={channels.filter(isShown)}>
              {(shown) => (
                <DataTable
                  label="Channels"
                  columns={columns}
                  rows={shown}
                  keyOf={({ id }) => id}
                  openKey={openId}
                  onOpen={({ id }) => open(id)}
                  empty={<Empty icon={IconHash} text="No channels match these filters." />}
                />
              )}
            </Growing>
            <ChannelDrawer channel={channels.find(({ id }) => id === openId)} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

interface ChannelProps {
  readonly channel: Channel;
}

const ChannelBadges = ({ channel }: ChannelProps): ReactNode => (
  <Group gap={6}>
    <StatusBadge status={KINDS[kindOf(channel)]} />
    {channel.delete_at > 0 && <StatusBadge status={ARCHIVED} />}
  </Group>
);

/** The drawer of a channel and its members. */
function ChannelDrawer({ channel }: { readonly channel: Channel | undefined }): ReactNode {
  const [search, setSearch] = useState('');
  if (!channel) return null;
  const isArchived = channel.delete_at > 0;
  return (
    <DetailDrawer
      param="channel"
      title={channel.display_name}
      actions={
        !isArchived && (
          <LinkButton to="/channels" search={{ team: channel.team_id, channel: channel.id }}>
            Open messages
          </LinkButton>
        )
      }
    >
      {() => (
        <>
          <Facts
            of={{
              State: <ChannelBadges channel={channel} />,
              Purpose: channel.purpose,
              Header: channel.header,
              'In URLs': <Code>{channel.name}</Code>,
              Created: <Time at={channel.create_at} isInText />,
            }}
          />
          {!isArchived && (
            <Members
              group={{
                ...{ kind: 'channel', id: channel.id, teamId: channel.team_id, name: channel.display_name },
                isDefault: channel.name === 'town-square',
              }}
              search={search}
              onSearch={setSearch}
            />
          )}
        </>
      )}
    </DetailDrawer>
  );
}

function ChannelActions({ channel }: ChannelProps): ReactNode {
  const params = { path: { channel_id: channel.id } };
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['teams', channel.team_id] });
  const archive = (): Promise<unknown> =>
    answerOf(api.DELETE('/api/v4/channels/{channel_id}', { params })).then(reload);
  const restore = (): Promise<unknown> =>
    answerOf(api.POST('/api/v4/channels/{channel_id}/restore', { params })).then(reload);
  return (
    <RowActions>
      {channel.delete_at > 0 ? (
        <Confirm label="Restore" title={`Restore ${channel.display_name}?`} isSmall onConfirm={restore}>
          <p>People can read it and post in it again. Webhooks that were deleted with it stay deleted.</p>
        </Confirm>
      ) : (
        <>
          <DialogButton label="Edit" title="Edit the channel" kind="small">
            {(close) => <ChannelForm teamId={channel.team_id} channel={channel} onSaved={close} />}
          </DialogButton>
          {channel.name !== 'town-square' && (
            <Confirm
              label="Archive"
              title={`Archive ${channel.display_name}?`}
              isSmall
              isRisky
              onConfirm={archive}
            >
              <p>Nobody can post in it any more, and its webhooks are deleted. Its messages stay.</p>
            </Confirm>
          )}
        </>
      )}
    </RowActions>
  );
}
