import { Alert, Grid, Group, Paper, Title } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { ChannelLink } from '../../parts/channel-link';
import { Facts } from '../../parts/facts';
import { Time } from '../../parts/time';
import { useUsernames } from '../../parts/usernames';
import { Connect } from './add-webhook';
import { Calls } from './calls';
import { describeRefusal } from './describe-refusal';
import { type HookProps, isRecent } from './incoming-queries';
import { FORMATS, senderOf } from './senders';
import { describeVerifier } from './verifiers';

const RECENT = 5;

interface OverviewProps extends HookProps {
  /** Refused calls, latest first. */
  readonly refused: readonly Schemas['KeptRequestDto'][];
}

/** What a webhook did last, what is wrong with it, and its settings. How to connect its sender, at first. */
export function Overview({ hook, refused: [refused] }: OverviewProps): ReactNode {
  const [wasUnused] = useState(hook.last_used === 0);
  const params = { hookId: hook.id };
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 8 }}>
        {refused && isRecent(refused) && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Calls are refused" mb="md">
            {describeRefusal(refused.message)}{' '}
            <Link to="/incoming/$hookId" params={params} search={{ tab: 'calls', call: refused.id }}>
              View the call
            </Link>
          </Alert>
        )}
        {wasUnused && (
          <Paper withBorder p="md" mb="md">
            <Connect hook={hook} sender={senderOf(hook)} />
          </Paper>
        )}
        <Group justify="space-between">
          <Title order={2}>Recent calls</Title>
          <Link to="/incoming/$hookId" params={params} search={{ tab: 'calls' }}>
            All calls
          </Link>
        </Group>
        <Calls hook={hook} count={RECENT} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Paper withBorder p="md">
          <HookFacts hook={hook} lastRefusedAt={refused?.create_at ?? 0} />
        </Paper>
      </Grid.Col>
    </Grid>
  );
}

function HookFacts({ hook, lastRefusedAt }: HookProps & { readonly lastRefusedAt: number }): ReactNode {
  const nameOf = useUsernames([hook.user_id]);
  const { verifier, rate_limit: limit } = hook;
  return (
    <Facts
      of={{
        'Posts to': (
          <Group gap={6}>
            <ChannelLink teamId={hook.team_id} channelId={hook.channel_id} />
            {hook.channel_locked && (
              <Badge tone="quiet" icon={IconLock}>
                Locked
              </Badge>
            )}
          </Group>
        ),
        Owner: nameOf(hook.user_id),
        'Shown as': hook.username,
        Format: FORMATS[hook.format][0],
        Verification: verifier ? (
          describeVerifier(verifier)
        ) : (
          <span className="muted">None: anyone who knows the URL can post</span>
        ),
        Limit: limit > 0 && `${limit.toLocaleString()} calls per minute`,
        Expires: <Time at={hook.expires_at} isInText />,
        'Last used': <Time at={hook.last_used} isInText />,
        'Last refused': <Time at={lastRefusedAt} isInText />,
        Created: <Time at={hook.create_at} isInText />,
      }}
    />
  );
}
