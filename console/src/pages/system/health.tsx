import { Anchor, Box, Divider, Grid, Group, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoSmall, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import type { Tone } from '../../parts/badge';
import { Facts } from '../../parts/facts';
import { FaultNote } from '../../parts/fault-note';
import { Loading } from '../../parts/loading';
import { Time } from '../../parts/time';
import { type Connection, connections } from '../connections/connection-queries';
import { longestWaiting, Overdue } from '../home/overdue';
import { worstEndpoints } from '../home/overview-queries';
import { type Health, health, queue, type Queue, type Setting, settingsInForce } from './system-queries';

const LOOKS = {
  good: { color: 'green', icon: IconCheck, text: 'In order' },
  quiet: { color: 'gray', icon: IconInfoSmall, text: 'Advice' },
  warning: { color: 'yellow', icon: IconAlertTriangle, text: 'Warning' },
  bad: { color: 'red', icon: IconX, text: 'Problem' },
} as const satisfies Record<Tone, unknown>;

interface Check {
  readonly tone: Tone;
  readonly title: string;
  /** What is found, and what to do if it is not good. */
  readonly text: ReactNode;
  readonly link?: ReactNode;
}

/** Server health as a checklist with what to do, and the process. */
export function HealthPage(): ReactNode {
  const ready = useQuery(health);
  const waiting = useQuery(queue);
  const endpoints = useQuery(worstEndpoints);
  const peers = useQuery(connections);
  const inForce = useQuery(settingsInForce);
  const all = [ready, waiting, endpoints, peers, inForce];
  const checks = [
    ...(ready.data ? readyChecks(ready.data) : []),
    ...(waiting.data ? [queueCheck(waiting.data)] : []),
    ...(endpoints.data ? endpointChecks(endpoints.data) : []),
    ...(peers.data ? peerChecks(peers.data) : []),
    ...(inForce.data ? addressChecks(inForce.data.settings) : []),
  ];
  const faulty = checks.filter(({ tone }) => tone === 'bad' || tone === 'warning').length;
  if (all.some(({ isLoading }) => isLoading)) return <Loading />;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <div role="status">
          <Title order={2} mt={0} mb="xs">
            {faulty === 0 ? 'Everything is in order' : `${faulty} of ${checks.length} checks need attention`}
          </Title>
        </div>
        {all.map(({ error }, index) => error && <FaultNote key={index} error={error} />)}
        <Paper withBorder component="ul" m={0} p={0} aria-label="Health">
          {checks.map((check, index) => (
            <li key={check.title} style={{ listStyle: 'none' }}>
              {index > 0 && <Divider />}
              <CheckRow check={check} />
            </li>
          ))}
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Title order={2} mt={0} mb="xs">
          Runtime
        </Title>
        <Paper withBorder p="md" fz="sm">
          {inForce.data && <Runtime process={inForce.data.process} />}
        </Paper>
      </Grid.Col>
    </Grid>
  );
}

function CheckRow({ check: { tone, title, text, link } }: { readonly check: Check }): ReactNode {
  const { color, icon: Icon, text: meaning } = LOOKS[tone];
  return (
    <Group wrap="nowrap" align="start" gap="sm" px="md" py="sm">
      <ThemeIcon variant="light" color={color} size={24} radius="xl" role="img" aria-label={meaning}>
        <Icon size={15} aria-hidden />
      </ThemeIcon>
      <Box flex={1}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {text}
        </Text>
      </Box>
      <Text size="sm" component="div">
        {link}
      </Text>
    </Group>
  );
}

const readyChecks = ({ isReady, problems }: Health): Check[] => [
  isReady
    ? { tone: 'good', title: 'Server ready', text: 'The database responds, and the server accepts calls.' }
    : {
        tone: 'bad',
        title: 'Server not ready',
        text: `${problems.join(' ')} Check the database, its address and the server log. Calls are refused until it is ready.`,
      },
  ...(isReady ? problems : []).map((problem) => ({
    ...{ tone: 'warning' as const, title: problem },
    text: 'The server works without it, but check that Redis runs and that REDIS_URL leads to it.',
  })),
];

function queueCheck({ count, isCut, oldestAt }: Queue): Check {
  const title = 'Queue';
  if (count === 0) return { tone: 'good', title, text: 'No deliveries are waiting.' };
  return {
    ...{ tone: 'good', title },
    text: (
      <>
        {count}
        {isCut && ' or more'} {count === 1 ? 'delivery is' : 'deliveries are'} waiting
        {isCut ? (
          <>
            ; the console counts no further, but the metric <code>hookline_deliveries_open</code> does.
          </>
        ) : (
          <>
            , the oldest created <Time at={oldestAt} isInText />.
          </>
        )}
      </>
    ),
    link: (
      <Link to="/deliveries" search={{ status: 'pending' }}>
        Show
      </Link>
    ),
  };
}

function endpointChecks(found: Schemas['EndpointListDto']): Check[] {
  const { failing_count: failing, disabled_count: disabled, total_count: all } = found;
  return [
    found.overdue_count > 0
      ? {
          ...{ tone: 'bad', title: 'Deliveries are late', text: <Overdue found={found} /> },
          link: <Link {...longestWaiting(found)}>Show the longest waiting</Link>,
        }
      : { tone: 'good', title: 'Deliveries are on time', text: 'None of them is overdue.' },
    {
      tone: failing + disabled > 0 ? 'warning' : 'good',
      title: 'Endpoints',
      text:
        failing + disabled > 0
          ? `Of ${all}, ${failing} ${failing === 1 ? 'fails' : 'fail'} and ${disabled} ${disabled === 1 ? 'is' : 'are'} disabled. Check these receivers, then enable their webhooks.`
          : `${all === 1 ? 'The only one works' : `All ${all} work`}.`,
      link: <Link to="/endpoints">Show</Link>,
    },
  ];
}

function peerChecks(peers: readonly Connection[]): Check[] {
  const away = peers.filter(({ standing }) => standing === 'offline').length;
  const online = peers.filter(({ standing }) => standing === 'online').length;
  if (away + online === 0) return [];
  return [
    {
      tone: away > 0 ? 'warning' : 'good',
      title: 'Connections',
      text: `${online} online${away > 0 ? `, ${away} offline. Check that these servers run and can be reached.` : '.'}`,
      link: <Link to="/connections">Show</Link>,
    },
  ];
}

/** Whether other machines reach the server by the right address, and encrypted. */
function addressChecks(settings: readonly Setting[]): Check[] {
  const site = settings.find(({ name }) => name === 'SITE_URL');
  return [
    site?.value
      ? { tone: 'good', title: 'Public address', text: site.value }
      : {
          tone: 'quiet',
          title: 'Public address',
          text: 'Set SITE_URL, so that webhook URLs and invites contain the address by which others reach this server.',
        },
    isSecureContext
      ? { tone: 'good', title: 'Encryption', text: 'This page came over a secure connection.' }
      : {
          tone: 'warning',
          title: 'Encryption',
          text: 'Passwords and tokens travel unencrypted. Put the server behind a proxy with HTTPS.',
        },
  ];
}

function Runtime({ process }: { readonly process: Schemas['ServerProcessDto'] }): ReactNode {
  return (
    <>
      <Facts
        of={{
          Version: `Hookline ${process.version} on Node.js ${process.node_version}`,
          Mode: process.is_one_of_several
            ? 'One of several processes on one database'
            : 'The only process on its database',
          Database: process.database === 'sqlite' ? 'SQLite, in the data folder' : 'MySQL or MariaDB',
          Process: `${process.process_id}${process.worker > 0 ? `, worker ${process.worker}` : ''}`,
          Started: <Time at={process.started_at} isInText />,
        }}
      />
      <Anchor href="api/docs" size="sm">
        API documentation
      </Anchor>
    </>
  );
}
