import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { myChannels } from './team-picker';

interface ChannelLinkProps {
  readonly teamId: string;
  readonly channelId: string;
}

/** The name of a channel, which leads to its messages; of one that the user is not in, only that there is one. */
export function ChannelLink({ teamId, channelId }: ChannelLinkProps): ReactNode {
  const { data: channels } = useQuery(myChannels(teamId));
  if (!channels) return null;
  const found = channels.find(({ id }) => id === channelId);
  if (!found) return <span className="muted">another channel</span>;
  return (
    <Link to="/channels" search={{ team: teamId, channel: channelId }}>
      {found.display_name}
    </Link>
  );
}
