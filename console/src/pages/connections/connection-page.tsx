import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { connectionRoute } from '../../app/router';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { myTeams } from '../../parts/team-picker';
import { Time } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { CheckConnection } from './check-connection';
import { type Connection, connection, useLiveConnections } from './connection-queries';
import { InviteExpiry } from './invite-expiry';
import { EditConnection } from './edit-connection';
import { EndConnection, endOf } from './end-connection';
import { NewInvite } from './new-invite';
import { SharedChannels } from './shared-channels';
import { Standing } from './standing';

const LIST = <Link to="/connections">Secure connections</Link>;

/** One secure connection: its state, whether the servers reach each other, and the shared channels. */
export function ConnectionPage(): ReactNode {
  const { remoteId } = connectionRoute.useParams();
  const query = useQuery(connection(remoteId));
  useLiveConnections();
  return (
    <Loaded query={query} gone={<Gone what="connection" list={LIST} />}>
      {(peer) => <ConnectionDetails key={peer.remote_id} peer={peer} />}
    </Loaded>
  );
}

function ConnectionDetails({ peer }: { readonly peer: Connection }): ReactNode {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'invite' | 'end' | null>(null);
  const close = (): void => setOpen(null);
  const isConfirmed = peer.standing === 'online' || peer.standing === 'offline';
  return (
    <>
      <PageHead title={peer.display_name} parent={LIST} state={<Standing peer={peer} />}>
        {peer.standing === 'invited' && (
          <Button variant="default" size="xs" onClick={() => setOpen('invite')}>
            New invite
          </Button>
        )}
        {peer.standing !== 'deleted' && (
          <>
            <Button variant="default" size="xs" onClick={() => setOpen('edit')}>
              Edit
            </Button>
            <Button variant="default" size="xs" c="red" onClick={() => setOpen('end')}>
              {endOf(peer).action}
            </Button>
          </>
        )}
      </PageHead>
      <Facts peer={peer} />
      {isConfirmed && (
        <>
          <h2>Can both sides reach each other?</h2>
          <CheckConnection remoteId={peer.remote_id} />
          <SharedChannels remoteId={peer.remote_id} />
        </>
      )}
      <Modal title="Edit the connection" isOpen={open === 'edit'} onClose={close}>
        <EditConnection peer={peer} onSaved={close} />
      </Modal>
      <Modal title="New invite" isOpen={open === 'invite'} onClose={close} isWide>
        <NewInvite peer={peer} />
      </Modal>
      <Modal title={endOf(peer).title} isOpen={open === 'end'} onClose={close}>
        <EndConnection peer={peer} onEnded={() => void navigate({ to: '/connections' })} />
      </Modal>
    </>
  );
}

function Facts({ peer }: { readonly peer: Connection }): ReactNode {
  const { data: teams = [] } = useQuery(myTeams);
  const nameOf = useUsernames([peer.creator_id]);
  const team = teams.find(({ id }) => id === peer.default_team_id);
  return (
    <dl className="facts">
      {peer.invite_expires_at > 0 && (
        <>
          <dt>Invite</dt>
          <dd>
            <InviteExpiry at={peer.invite_expires_at} />
          </dd>
        </>
      )}
      {peer.standing !== 'invited' && (
        <>
          <dt>Address</dt>
          <dd>{peer.site_url}</dd>
          <dt>Last answered</dt>
          <dd>
            <Time at={peer.last_ping_at} isInText />
          </dd>
          <dt>Last call received</dt>
          <dd>
            <Time isInText at={peer.last_heard_at} none="not known" />
          </dd>
        </>
      )}
      <dt>Team</dt>
      <dd>{team?.display_name ?? <code>{peer.default_team_id || 'none'}</code>}</dd>
      <dt>Created</dt>
      <dd>
        <Time at={peer.create_at} isInText /> by {nameOf(peer.creator_id)}
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{peer.remote_id}</code> <span className="muted">the same on both servers</span>
      </dd>
    </dl>
  );
}
