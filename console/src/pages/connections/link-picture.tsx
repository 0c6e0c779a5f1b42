import { Alert, Box, Button, Flex, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import {
  IconArrowNarrowLeft,
  IconArrowNarrowRight,
  IconBulb,
  IconRefresh,
  IconServer2,
} from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { site, siteAddress } from '../../api/site';
import { Badge, type Tone } from '../../parts/badge';
import { useClock } from '../../parts/clock';
import { FaultNote } from '../../parts/fault-note';
import { formatDuration, Time } from '../../parts/time';
import { check, type Connection, isConfirmed, refreshConnections, sharedWith } from './connection-queries';
import { InviteExpiry } from './since';

/** A server that has called within this time is taken to reach this one. */
const RECENT_MS = 5 * 60_000;
const COLORS = { good: 'green', quiet: 'gray', warning: 'yellow', bad: 'red' } as const;

interface LinkPictureProps {
  readonly peer: Connection;
  /** Runs one check on mount. */
  readonly isCheckedAtOnce?: boolean;
}

/** The two servers and the state of each direction between them, as known or as checked just now. */
export function LinkPicture({ peer, isCheckedAtOnce = false }: LinkPictureProps): ReactNode {
  const { data: here = siteAddress() } = useQuery(site);
  const checked = useQuery({ ...check(peer.remote_id), enabled: isCheckedAtOnce });
  const checkNow = async (): Promise<void> => {
    await checked.refetch();
    await refreshConnections();
  };
  const { data: found } = checked;
  return (
    <Paper withBorder p="lg">
      <Flex direction={{ base: 'column', sm: 'row' }} gap="lg" align={{ sm: 'center' }}>
        <Server name="This server" address={here} />
        <Stack flex={1} gap="lg" miw={0}>
          {isConfirmed(peer) ? (
            <>
              <Outbound peer={peer} found={found} />
              <Inbound peer={peer} found={found} />
            </>
          ) : (
            <Lane
              title="Invite"
              tone="quiet"
              state={peer.standing === 'deleted' ? 'Ended' : 'Not accepted yet'}
            >
              {peer.invite_expires_at > 0 && <InviteExpiry at={peer.invite_expires_at} />}
            </Lane>
          )}
        </Stack>
        <Server
          name={peer.display_name}
          address={peer.standing === 'invited' ? 'Address not known yet' : peer.site_url}
        />
      </Flex>
      {isConfirmed(peer) && (
        <Group role="group" aria-label="Check" mt="lg" justify="space-between">
          <Text size="sm" c="dimmed" component="div" role="status">
            {checked.isError ? <FaultNote error={checked.error} /> : <Checked found={found} />}
          </Text>
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={checked.isFetching}
            onClick={() => void checkNow()}
          >
            Check now
          </Button>
        </Group>
      )}
      {found?.advice && (
        <Alert color="yellow" icon={<IconBulb aria-hidden />} mt="md">
          {found.advice}
        </Alert>
      )}
    </Paper>
  );
}

function Server({ name, address }: { readonly name: string; readonly address: string }): ReactNode {
  return (
    <Group wrap="nowrap" gap="sm" maw={{ sm: 260 }} miw={0}>
      <ThemeIcon size={44} radius="md" variant="light" aria-hidden>
        <IconServer2 size={24} stroke={1.5} />
      </ThemeIcon>
      <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600}>{name}</Text>
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      </Box>
    </Group>
  );
}

interface LaneProps {
  readonly title: string;
  readonly tone: Tone;
  readonly state: string;
  readonly isInbound?: boolean;
  readonly children?: ReactNode;
}

/** One direction: an arrow in the colour of its state. On phones, where the servers are stacked, only words. */
function Lane({ title, tone, state, isInbound = false, children }: LaneProps): ReactNode {
  const Arrow = isInbound ? IconArrowNarrowLeft : IconArrowNarrowRight;
  return (
    <div role="group" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Badge tone={tone}>{state}</Badge>
      </Group>
      <Flex
        visibleFrom="sm"
        align="center"
        direction={isInbound ? 'row-reverse' : 'row'}
        c={`${COLORS[tone]}.6`}
        my={2}
        aria-hidden
      >
        <Box flex={1} h={0} bd={`1px ${tone === 'quiet' ? 'dashed' : 'solid'} currentColor`} />
        <Arrow size={20} style={{ margin: '0 -4px' }} />
      </Flex>
      <Text size="xs" c="dimmed" component="div">
        {children}
      </Text>
    </div>
  );
}

type Found = Schemas['CheckedPeerDto'];

interface DirectionProps {
  readonly peer: Connection;
  /** Result of the last check, if there was one. */
  readonly found: Found | undefined;
}

function Outbound({ peer, found }: DirectionProps): ReactNode {
  const { data: channels = [] } = useInfiniteQuery(sharedWith(peer.remote_id));
  const waiting = channels.reduce((sum, { pending_count: count }) => sum + count, 0);
  const oldest = Math.max(0, ...channels.map(({ oldest_pending_seconds: seconds }) => seconds));
  const isReached = found?.is_reached ?? peer.standing === 'online';
  return (
    <Lane
      title="From here to there"
      tone={isReached ? 'good' : 'bad'}
      state={isReached ? 'Reached' : 'Not reached'}
    >
      {found?.error && <>{found.error} · </>}
      {found?.is_reached && <>Round trip {found.round_trip_ms} ms · </>}
      Last answered <Time at={peer.last_ping_at} isInText /> ·{' '}
      {waiting === 0
        ? 'Nothing is waiting'
        : `${waiting} ${waiting === 1 ? 'message' : 'messages'} waiting for ${formatDuration(oldest * 1_000)}`}
    </Lane>
  );
}

function Inbound({ peer, found }: DirectionProps): ReactNode {
  const heardAt = Math.max(peer.last_heard_at, found?.last_heard_at ?? 0);
  const recent = useClock((now) => (now - heardAt < RECENT_MS ? 'recent' : ''));
  const [tone, state] = found?.is_silent
    ? (['bad', 'Probably cannot reach this server'] as const)
    : recent
      ? (['good', 'Reached'] as const)
      : (['quiet', 'No recent calls'] as const);
  return (
    <Lane title="From there to here" tone={tone} state={state} isInbound>
      Last called <Time at={heardAt} isInText none="never since it was connected" />
      {found && <> · uses {found.given_site_url || 'an address that is not recorded'}</>}
    </Lane>
  );
}

function Checked({ found }: { readonly found: Found | undefined }): ReactNode {
  if (!found) return 'A check measures the round trip and compares the clocks.';
  return (
    <>
      {found.clock_skew_ms !== undefined && <>{skewText(found.clock_skew_ms)} · </>}
      Checked <Time at={found.checked_at} isInText />
    </>
  );
}

function skewText(ms: number): string {
  const off = Math.abs(ms);
  if (off < 1_000) return `Clocks in sync, within ${Math.max(1, off)} ms`;
  return `Its clock is ${(off / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead' : 'behind'}`;
}
