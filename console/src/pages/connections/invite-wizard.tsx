import { Button, Group, SimpleGrid, Stepper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Code } from '../../parts/code';
import { Form } from '../../parts/form';
import { randomText } from '../../parts/random-text';
import { StatusBadge } from '../../parts/status-badge';
import { PeerFields, useNewPeer } from './connection-forms';
import {
  type Connection,
  connection,
  isConfirmed,
  refreshConnections,
  standingOfPeer,
  useLiveConnections,
} from './connection-queries';
import { InviteExpiry } from './since';
import { LinkPicture } from './link-picture';
import { refusalOf } from './refusals';

const PASSWORD_LENGTH = 20;

interface Made {
  readonly peer: Connection;
  readonly invite: string;
  readonly password: string;
}

interface InviteWizardProps {
  /** The server that gets another invite; undefined for a new one. */
  readonly peer?: Connection;
}

/** Creates an invite, shows it with its password, and waits until the other server accepts and responds. */
export function InviteWizard({ peer }: InviteWizardProps): ReactNode {
  const [made, setMade] = useState<Made | null>(null);
  const remoteId = made?.peer.remote_id ?? '';
  const { data: now = made?.peer } = useQuery({
    ...connection(remoteId),
    enabled: made !== null,
    refetchInterval: 2_000,
  });
  useLiveConnections();
  const create = (one: Made): void => {
    setMade(one);
    void refreshConnections();
  };
  const active = !made || !now ? 0 : isConfirmed(now) ? 2 : 1;
  return (
    <Stepper active={active} size="xs" iconSize={26} wrap={false} allowNextStepsSelect={false}>
      <Stepper.Step label="Invite" allowStepSelect={false}>
        {peer ? <AgainForm peer={peer} onMade={create} /> : <NewForm onMade={create} />}
      </Stepper.Step>
      <Stepper.Step label="Hand over" allowStepSelect={false}>
        {made && now && <HandOver made={made} peer={now} />}
      </Stepper.Step>
      <Stepper.Step label="Connect" allowStepSelect={false}>
        {now && <Connected peer={now} isOnItsPage={peer !== undefined} />}
      </Stepper.Step>
    </Stepper>
  );
}

interface MakeProps {
  readonly onMade: (made: Made) => void;
}

function NewForm({ onMade }: MakeProps): ReactNode {
  const { fields, body } = useNewPeer();
  const make = async (): Promise<void> => {
    const made = await answerOf(api.POST('/api/v4/remotecluster', { body }));
    onMade({ peer: made.remote_cluster, invite: made.invite, password: made.password ?? '' });
  };
  return (
    <Form action="Create an invite" onSubmit={make} explain={refusalOf}>
      <PeerFields {...fields} />
    </Form>
  );
}

function AgainForm({ peer, onMade }: MakeProps & { readonly peer: Connection }): ReactNode {
  const make = async (): Promise<void> => {
    const password = randomText(PASSWORD_LENGTH);
    const path = { remote_id: peer.remote_id };
    const invite = await answerOf(
      api.POST('/api/v4/remotecluster/{remote_id}/generate_invite', { params: { path }, body: { password } }),
    );
    onMade({ peer, invite, password });
  };
  return (
    <Form action="Create a new invite" onSubmit={make} explain={refusalOf}>
      <Text size="sm" mb="md">
        The new invite has a new password and a new expiry. Earlier invites that have not expired stay valid
        until one of them is accepted.
      </Text>
    </Form>
  );
}

function HandOver({ made, peer }: { readonly made: Made; readonly peer: Connection }): ReactNode {
  return (
    <>
      <Text size="sm" mb="md">
        Send both to the administrator of the other server <b>through separate channels</b>, such as the
        invite by email and the password by phone. Anyone who has both can connect. They are shown only once.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: made.password === '' ? 1 : 2 }}>
        <div>
          <Title order={3} mb="xs">
            Invite
          </Title>
          <Code label="the invite" text={made.invite} />
        </div>
        {made.password !== '' && (
          <div>
            <Title order={3} mb="xs">
              Password
            </Title>
            <Code label="the password" text={made.password} />
          </div>
        )}
      </SimpleGrid>
      <Group gap="xs" mt="md" role="status">
        <StatusBadge status={standingOfPeer(peer)} />
        <Text size="sm" c="dimmed">
          There, an administrator chooses “Accept an invite”. <InviteExpiry at={peer.invite_expires_at} />
        </Text>
      </Group>
    </>
  );
}

interface ConnectedProps {
  readonly peer: Connection;
  readonly isOnItsPage: boolean;
}

function Connected({ peer, isOnItsPage }: ConnectedProps): ReactNode {
  return (
    <>
      <Group gap="xs" mb="md" role="status">
        <StatusBadge status={standingOfPeer(peer)} />
        <Text size="sm">
          <b>{peer.display_name}</b> has accepted the invite.
        </Text>
      </Group>
      <LinkPicture peer={peer} isCheckedAtOnce />
      {!isOnItsPage && (
        <Group justify="flex-end" mt="md">
          <Button component={Link} to={`/connections/${peer.remote_id}`}>
            Open the connection
          </Button>
        </Group>
      )}
    </>
  );
}
