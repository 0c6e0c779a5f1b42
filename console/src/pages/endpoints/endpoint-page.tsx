import { Button, Grid, Text } from '@mantine/core';
import { IconActivity, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { endpointRoute } from '../../app/router';
import { Countdown } from '../../parts/countdown';
import { type Column, DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { PageHead } from '../../parts/page-head';
import { StatusBadge } from '../../parts/status-badge';
import { Time } from '../../parts/time';
import { FAILING } from '../deliveries/standing';
import { CallStats, endpointStats } from '../outgoing/call-stats';
import { Resend } from '../outgoing/resend';
import { Banner, Section } from '../outgoing/section';
import { EnableHooks } from './enable-hooks';
import { EndpointLimits } from './endpoint-limits';
import {
  type EndpointDetail,
  type EndpointHook,
  endpoint,
  standingOfEndpoint,
  whyOf,
} from './endpoint-queries';

const HOUR_MS = 3_600_000;

/** One endpoint: its state, call statistics, concurrency, and the webhooks that call it. */
export function EndpointPage(): ReactNode {
  const { endpoint: name = '', range } = endpointRoute.useSearch();
  const navigate = useNavigate();
  const query = useQuery(endpoint(name));
  return (
    <>
      <PageHead
        title={name || 'Endpoint'}
        parent={<Link to="/endpoints">Endpoints</Link>}
        state={query.data && <StatusBadge status={standingOfEndpoint(query.data)} />}
      >
        <Button
          variant="default"
          leftSection={<IconActivity size={14} aria-hidden />}
          renderRoot={(props) => <Link {...props} to="/deliveries" search={{ endpoint: name }} />}
        >
          Deliveries
        </Button>
      </PageHead>
      <Loaded query={query} as="page">
        {(found) => (
          <>
            <Trouble key={found.endpoint} found={found} />
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, lg: 8 }}>
                <CallStats
                  query={(one) => endpointStats(name, one)}
                  range={range}
                  onRange={(chosen) => void navigate({ to: '.', search: { endpoint: name, range: chosen } })}
                  onSelect={({ start, end }) =>
                    void navigate({
                      to: '/deliveries',
                      search: { endpoint: name, since: `${start}`, ...(end && { before: `${end}` }) },
                    })
                  }
                />
                <Webhooks found={found} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, lg: 4 }}>
                <Section title="Health">
                  <Facts
                    of={{
                      URLs: found.url_count,
                      'Last failure': found.last_failure_at > 0 && <LastFailure found={found} />,
                    }}
                  />
                  <Resend of={{ endpoint: name }} />
                </Section>
                <EndpointLimits limits={found.limits} />
              </Grid.Col>
            </Grid>
          </>
        )}
      </Loaded>
    </>
  );
}

interface FoundProps {
  readonly found: EndpointDetail;
}

/** What is wrong with the endpoint, and what to do. */
function Trouble({ found }: FoundProps): ReactNode {
  const { state, disabled_url_count: disabled, limits } = found;
  const isPaused = limits.paused_until > 0;
  const pauses = limits.changes.reduce((sum, { why, times }) => sum + (why === 'spared' ? times : 0), 0);
  const isBad = state !== 'ok' || isPaused;
  const enable = <EnableHooks endpoint={found.endpoint} isNeeded={disabled > 0} />;
  if (!isBad) return enable;
  return (
    <Banner isBad={state === 'disabled'} title={whyOf(found) || 'Calls are paused'}>
      {found.since > 0 && (
        <Text size="sm" mb="xs">
          Failing since <Time at={found.since} isInText />.
        </Text>
      )}
      {isPaused && (
        <Text size="sm" mb="xs">
          Paused after too many failures in a row
          {pauses > 1 && `, ${pauses} times in the last day`}.{' '}
          <Countdown
            until={limits.paused_until}
            before="It is called again in"
            over="It is called again now"
          />
          .
        </Text>
      )}
      {enable}
    </Banner>
  );
}

function LastFailure({ found: { endpoint: name, last_failure_at: at } }: FoundProps): ReactNode {
  return (
    <>
      {Date.now() - at < HOUR_MS ? 'within the last hour' : <Time at={at} isInText />}
      {' · '}
      <Link to="/deliveries" search={{ endpoint: name, status: FAILING }}>
        Show failures
      </Link>
    </>
  );
}

const COLUMNS: readonly Column<EndpointHook>[] = [
  {
    title: 'Webhook',
    cell: ({ id, display_name: name }) => (
      <Link to="/outgoing/$hookId" params={{ hookId: id }}>
        {name || 'Unnamed'}
      </Link>
    ),
  },
  { title: 'State', onPhone: 'corner', cell: (hook) => <StatusBadge status={standingOfEndpoint(hook)} /> },
  { title: 'Since', isNumber: true, cell: ({ since }) => <Time at={since} none="" /> },
];

/** The webhooks that call the endpoint. */
function Webhooks({ found: { hooks, hook_count: count } }: FoundProps): ReactNode {
  return (
    <Section title="Webhooks">
      <DataTable
        label="Webhooks"
        columns={COLUMNS}
        rows={hooks}
        keyOf={({ id }) => id}
        empty={<Empty icon={IconPlugConnected} text="No webhooks call it any more." />}
      />
      {count > hooks.length && (
        <Text size="sm" c="dimmed" mt="xs">
          And {count - hooks.length} more.
        </Text>
      )}
    </Section>
  );
}
