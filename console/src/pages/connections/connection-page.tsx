import { Button, Code, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { connectionRoute } from '../../app/router';
import { useConfirm } from '../../parts/confirm';
import { Copy } from '../../parts/copy';
import { Facts } from '../../parts/facts';
import { Gone } from '../../parts/gone';
import { Loaded } from '../../parts/loaded';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { myTeams } from '../../parts/team-picker';
import { Time } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { EditConnection } from './connection-forms';
import {
  type Connection,
  connection,
  isConfirmed,
  standingOfPeer,
  useLiveConnections,
} from './connection-queries';
import { endLabelOf, endQuestion } from './end-connection';
import { InviteWizard } from './invite-wizard';
import { LinkPicture } from './link-picture';
import { SharedChannels } from './shared-channels';
import { Since } from './since';

const LIST = <Link to="/connections">Secure connections</Link>;

/** One secure connection: its state, whether the servers reach each other, and the shared channels. */
export function ConnectionPage(): ReactNode {
  const { remoteId } = connectionRoute.useParams();
  const query = useQuery(connection(remoteId));
  useLiveConnections();
  return (
    <Loaded query={query} as="page" gone={<Gone what="connection" list={LIST} />}>
      {(peer) => <ConnectionDetails key={peer.remote_id} peer={peer} />}
    </Loaded>
  );
}

function ConnectionDetails({ peer }: { readonly peer: Connection }): ReactNode {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'invite' | null>(null);
  const [dialog, ask] = useConfirm();
  const close = (): void => setOpen(null);
  const leave = (): void => void navigate({ to: '/connections' });
  const state = (
    <>
      <StatusBadge status={standingOfPeer(peer)} />
      <Text size="sm" c="dimmed" component="span">
        <Since peer={peer} />
      </Text>
    </>
  );
  return (
    <>
      <PageHead title={peer.display_name} parent={LIST} state={state}>
        {peer.standing !== 'deleted' && (
          <>
            <Button variant="default" c="red" onClick={() => ask(endQuestion(peer, leave))}>
              {endLabelOf(peer)}
            </Button>
            <Button variant="default" onClick={() => setOpen('edit')}>
              Edit
            </Button>
          </>
        )}
        {peer.standing === 'invited' && <Button onClick={() => setOpen('invite')}>New invite</Button>}
      </PageHead>
      <LinkPicture peer={peer} />
      {isConfirmed(peer) && <SharedChannels remoteId={peer.remote_id} />}
      <Details peer={peer} />
      <Modal title="Edit the connection" isOpen={open === 'edit'} onClose={close}>
        <EditConnection peer={peer} onSaved={close} />
      </Modal>
      <Modal title="New invite" isOpen={open === 'invite'} onClose={close} isWide>
        <InviteWizard peer={peer} />
      </Modal>
      {dialog}
    </>
  );
}

function Details({ peer }: { readonly peer: Connection }): ReactNode {
  const { data: teams = [] } = useQuery(myTeams);
  const nameOf = useUsernames([peer.creator_id]);
  const team = teams.find(({ id }) => id === peer.default_team_id);
  return (
    <>
      <Title order={2} mt="xl" mb="xs">
        Details
      </Title>
      <Facts
        of={{
          'Team of its channels': team?.display_name ?? <Code>{peer.default_team_id || 'none'}</Code>,
          Created: (
            <>
              <Time at={peer.create_at} isInText /> by {nameOf(peer.creator_id)}
            </>
          ),
          'ID on both servers': (
            <Group gap={4}>
              <Code>{peer.remote_id}</Code>
              <Copy text={peer.remote_id} label="Copy the ID" />
            </Group>
          ),
        }}
      />
    </>
  );
}
