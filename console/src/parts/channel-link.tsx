import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { myChannels } from './team-picker';

interface ChannelLinkProps {
  readonly teamId: string;
  readonly channelId: string;
}

/** Channel name, linked to its messages; a placeholder if the user is not a member. */
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
