import { IconHash, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { teamRoute } from '../../app/router';
import { queries } from '../../app/services';
import { DialogButton } from '../../parts/dialog-button';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { Tabs } from '../../parts/tabs';
import { useIsTeamAdmin } from '../../parts/team-admin';
import { Undoable } from '../people/parts';
import { Members } from './members';
import { TeamChannels } from './team-channels';
import { TeamForm } from './team-forms';
import { ARCHIVED, type Team, team, teamStats } from './team-queries';

const LIST = <Link to="/teams">Teams</Link>;

/** A team: its channels and its members. */
export function TeamPage(): ReactNode {
  const { teamId } = teamRoute.useParams();
  const { tab = 'channels', search = '' } = teamRoute.useSearch();
  const navigate = useNavigate();
  const query = useQuery(team(teamId));
  const { data: stats } = useQuery(teamStats(teamId));
  const mayManage = useIsTeamAdmin(teamId);
  const find = {
    search,
    onSearch: (text: string) =>
      void navigate({ to: '.', search: (now) => ({ ...now, search: text }), replace: search !== '' }),
  };
  return (
    <Loaded query={query} as="page" gone={<Gone what="team" list={LIST} />}>
      {(found) => (
        <>
          <PageHead
            title={found.display_name}
            parent={LIST}
            description={found.description || undefined}
            state={found.delete_at > 0 && <StatusBadge status={ARCHIVED} />}
          >
            {mayManage && <TeamActions found={found} />}
          </PageHead>
          <Tabs
            current={tab}
            onChange={(name) =>
              void navigate({ to: '/teams/$teamId', params: { teamId }, search: { tab: name } })
            }
            tabs={{
              channels: {
                ...{ title: 'Channels', icon: <IconHash size={16} /> },
                content: () => <TeamChannels key={teamId} teamId={teamId} {...find} />,
              },
              members: {
                ...{ title: 'Members', icon: <IconUsers size={16} />, count: stats?.total_member_count },
                content: () => (
                  <Members group={{ kind: 'team', id: teamId, teamId, name: found.display_name }} {...find} />
                ),
              },
            }}
          />
        </>
      )}
    </Loaded>
  );
}

function TeamActions({ found }: { readonly found: Team }): ReactNode {
  const params = { path: { team_id: found.id } };
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['teams'] });
  const archive = (): Promise<unknown> =>
    answerOf(api.DELETE('/api/v4/teams/{team_id}', { params })).then(reload);
  const restore = (): Promise<unknown> =>
    answerOf(api.POST('/api/v4/teams/{team_id}/restore', { params })).then(reload);
  const name = found.display_name;
  if (found.delete_at > 0)
    return <Undoable label="Restore" done={`${name} is available again.`} act={restore} undo={archive} />;
  return (
    <>
      <DialogButton label="Edit" title="Edit the team">
        {(close) => <TeamForm team={found} onSaved={close} />}
      </DialogButton>
      <Undoable
        label="Archive"
        isRisky
        done={`${name} is archived: nobody can use it, and its webhooks stop.`}
        act={archive}
        undo={restore}
      />
    </>
  );
}
