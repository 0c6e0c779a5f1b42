import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { teamRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { Confirm } from '../../parts/confirm';
import { DialogButton } from '../../parts/dialog-button';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { Tabs } from '../../parts/tabs';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { TeamChannels } from './team-channels';
import { TeamForm } from './team-form';
import { TeamMembers } from './team-members';
import { type Team, team } from './team-queries';

const LIST = <Link to="/teams">Teams</Link>;

/** A team: its channels and its members. */
export function TeamPage(): ReactNode {
  const { teamId } = teamRoute.useParams();
  const { tab = 'channels' } = teamRoute.useSearch();
  const navigate = useNavigate();
  const query = useQuery(team(teamId));
  const mayManage = useIsTeamAdmin(teamId);
  return (
    <Loaded query={query} gone={<Gone what="team" list={LIST} />}>
      {(found) => (
        <>
          <PageHead
            title={found.display_name}
            parent={LIST}
            state={found.delete_at > 0 && <Badge tone="quiet">archived</Badge>}
          >
            {mayManage && <TeamActions found={found} />}
          </PageHead>
          <p className="muted">{found.description}</p>
          <Tabs
            current={tab}
            onChange={(name) =>
              void navigate({
                to: '/teams/$teamId',
                params: { teamId },
                search: { tab: name },
              })
            }
            tabs={{
              channels: { title: 'Channels', content: () => <TeamChannels teamId={teamId} /> },
              members: { title: 'Members', content: () => <TeamMembers teamId={teamId} /> },
            }}
          />
        </>
      )}
    </Loaded>
  );
}

function TeamActions({ found }: { readonly found: Team }): ReactNode {
  const params = { path: { team_id: found.id } };
  const archive = async (): Promise<void> => {
    await answerOf(api.DELETE('/api/v4/teams/{team_id}', { params }));
    await queries.invalidateQueries({ queryKey: ['teams'] });
  };
  const restore = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/teams/{team_id}/restore', { params }));
    await queries.invalidateQueries({ queryKey: ['teams'] });
  };
  if (found.delete_at > 0)
    return (
      <Confirm label="Restore" title={`Restore ${found.display_name}?`} onConfirm={restore}>
        <p>Its channels, members and webhooks become available again.</p>
      </Confirm>
    );
  return (
    <>
      <DialogButton label="Edit" title="Edit the team">
        {(close) => <TeamForm team={found} onSaved={close} />}
      </DialogButton>
      <Confirm label="Archive" title={`Archive ${found.display_name}?`} isRisky onConfirm={archive}>
        <p>Nobody can read or post in it, and its webhooks stop. It can be restored.</p>
      </Confirm>
    </>
  );
}
