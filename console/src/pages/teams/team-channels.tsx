import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { isAdmin, useUser } from '../../app/session';
import { Badge } from '../../parts/badge';
import { Confirm } from '../../parts/confirm';
import { CutNote } from '../../parts/cut-note';
import { DialogButton } from '../../parts/dialog-button';
import { Growing } from '../../parts/growing';
import { Loaded } from '../../parts/loaded';
import { Table } from '../../parts/table';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { Time } from '../../parts/time';
import { ChannelForm } from './channel-form';
import { type Channel, channelsOf } from './team-queries';

interface TeamChannelsProps {
  readonly teamId: string;
}

/** Channels of a team, including archived ones. */
export function TeamChannels({ teamId }: TeamChannelsProps): ReactNode {
  const query = useQuery(channelsOf(teamId, isAdmin(useUser())));
  const mayManage = useIsTeamAdmin(teamId);
  return (
    <>
      <div className="list-actions">
        <DialogButton label="Add a channel" title="Add a channel" kind="primary">
          {(close) => <ChannelForm teamId={teamId} onSaved={close} />}
        </DialogButton>
      </div>
      <Loaded query={query}>
        {(channels) => (
          <>
            <CutNote count={channels.length} />
            <Growing items={channels}>
              {(shown) => (
                <Table heads={['Channel', 'Kind', 'Last message', ...(mayManage ? [''] : [])]}>
                  {shown.map((channel) => (
                    <ChannelRow key={channel.id} channel={channel} mayManage={mayManage} />
                  ))}
                </Table>
              )}
            </Growing>
          </>
        )}
      </Loaded>
    </>
  );
}

interface ChannelRowProps {
  readonly channel: Channel;
  readonly mayManage: boolean;
}

function ChannelRow({ channel, mayManage }: ChannelRowProps): ReactNode {
  return (
    <tr>
      <td>
        {channel.delete_at > 0 ? (
          channel.display_name
        ) : (
          <Link to="/channels" search={{ team: channel.team_id, channel: channel.id }}>
            {channel.display_name}
          </Link>
        )}
        <div className="muted">{channel.purpose}</div>
      </td>
      <td>
        {channel.type === 'P' ? 'private' : 'public'}{' '}
        {channel.delete_at > 0 && <Badge tone="quiet">archived</Badge>}
      </td>
      <td>
        <Time at={channel.last_post_at} />
      </td>
      {mayManage && (
        <td className="actions">
          <ChannelActions channel={channel} />
        </td>
      )}
    </tr>
  );
}

function ChannelActions({ channel }: { readonly channel: Channel }): ReactNode {
  const params = { path: { channel_id: channel.id } };
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['teams', channel.team_id] });
  const archive = async (): Promise<void> => {
    await answerOf(api.DELETE('/api/v4/channels/{channel_id}', { params }));
    await reload();
  };
  const restore = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/channels/{channel_id}/restore', { params }));
    await reload();
  };
  if (channel.delete_at > 0)
    return (
      <Confirm label="Restore" title={`Restore ${channel.display_name}?`} isSmall onConfirm={restore}>
        <p>People can read it and post in it again. Webhooks that were deleted with it stay deleted.</p>
      </Confirm>
    );
  return (
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
  );
}
