import { Group, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconSearchOff, IconTargetArrow } from '@tabler/icons-react';
import {
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { endpointsRoute } from '../../app/router';
import { Badge } from '../../parts/badge';
import { type Column, DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { FilterChips } from '../../parts/filter-chips';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { failedOf, inBars, shareOf } from '../../parts/outcomes';
import { PageHead } from '../../parts/page-head';
import { SearchField } from '../../parts/search-field';
import { StatusBadge } from '../../parts/status-badge';
import { formatDuration, Time } from '../../parts/time';
import { OutcomeTrend } from '../../parts/trend';
import { useSettled } from '../../parts/use-settled';
import { endpointStats } from '../outgoing/call-stats';
import {
  type Endpoint,
  endpoint,
  endpoints,
  standingOfEndpoint,
  STATES,
  useEndpointNews,
  whyOf,
} from './endpoint-queries';

const BARS = 24;
const FIGURES_REFRESH_MS = 30_000;
const FILTERS = {
  state: {
    label: 'State',
    choices: Object.fromEntries(STATES.map((state) => [state, standingOfEndpoint({ state }).text])),
  },
};

/** The endpoints that webhooks call, with their states and figures. */
export function EndpointsPage(): ReactNode {
  const { state, term } = endpointsRoute.useSearch();
  const navigate = useNavigate();
  const query = useInfiniteQuery({
    ...endpoints(state, useSettled(term)),
    placeholderData: keepPreviousData,
  });
  useEndpointNews();
  return (
    <>
      <PageHead title="Endpoints">
        <SearchField
          label="Search endpoints"
          value={term ?? ''}
          onSearch={(text) =>
            void navigate({
              to: '/endpoints',
              search: { state, term: text || undefined },
              replace: term !== undefined,
            })
          }
        />
        <FilterChips
          filters={FILTERS}
          values={{ state }}
          onChange={({ state: chosen }) =>
            void navigate({ to: '/endpoints', search: { term, state: chosen } })
          }
        />
      </PageHead>
      <Loaded query={query}>
        {({ pages }) => (
          <DataTable
            label="Endpoints"
            columns={COLUMNS}
            rows={pages.flatMap((page) => page.endpoints)}
            keyOf={({ endpoint: name }) => name}
            empty={state !== undefined || term !== undefined ? NO_MATCH : NONE}
          />
        )}
      </Loaded>
      <More query={query} />
    </>
  );
}

const NO_MATCH = <Empty icon={IconSearchOff} text="No endpoints match." />;
const NONE = (
  <Empty
    icon={IconTargetArrow}
    title="No endpoints yet"
    text="Every server that an outgoing webhook calls is an endpoint."
  >
    <Link to="/outgoing">Outgoing webhooks</Link>
  </Empty>
);

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: 'Endpoint',
    cell: (found) => (
      <>
        <Link to="/endpoints/details" search={{ endpoint: found.endpoint }}>
          {found.endpoint}
        </Link>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {whyOf(found)}
        </Text>
      </>
    ),
  },
  {
    ...{ title: 'State', width: 190, onPhone: 'corner' },
    cell: (found) => (
      <Group gap={4}>
        <StatusBadge status={standingOfEndpoint(found)} />
        {found.spared_until > 0 && <Badge tone="warning">Paused</Badge>}
      </Group>
    ),
  },
  {
    ...{ title: 'Since', width: 80, isNumber: true },
    cell: ({ since }) => <Time at={since} none="" />,
  },
  {
    ...{ title: 'Last 24 h', width: 128, onPhone: 'hidden' },
    cell: (found) => <Figure of={endpointStats(found.endpoint)}>{LastDay}</Figure>,
  },
  {
    title: 'Success',
    isNumber: true,
    width: 90,
    cell: (found) => (
      <Figure of={endpointStats(found.endpoint)}>
        {({ totals }) => shareOf(totals.success_per_million) || '–'}
      </Figure>
    ),
  },
  {
    title: 'p99',
    isNumber: true,
    width: 90,
    cell: (found) => (
      <Figure of={endpointStats(found.endpoint)}>
        {({ totals }) => (totals.p99_ms === null ? '–' : formatDuration(totals.p99_ms))}
      </Figure>
    ),
  },
  {
    title: 'Concurrency',
    isNumber: true,
    width: 110,
    cell: (found) => (
      <Figure of={endpoint(found.endpoint)}>{({ limits }) => `${limits.now} of ${limits.most}`}</Figure>
    ),
  },
  {
    title: 'Webhooks',
    cell: ({ hooks, hook_count: count }) => (
      <Text inherit lineClamp={2}>
        {hooks
          .slice(0, 3)
          .map(({ display_name: name }) => name || 'Unnamed')
          .join(', ')}
        {count > 3 && ` and ${count - 3} more`}
      </Text>
    ),
  },
];

type Stats = Awaited<ReturnType<ReturnType<typeof endpointStats>['queryFn']>>;

interface FigureProps<T, Key extends QueryKey> {
  readonly of: UseQueryOptions<T, Error, T, Key>;
  readonly children: (data: T) => ReactNode;
}

/** A figure that is loaded while its row is visible. */
function Figure<T, Key extends QueryKey>({ of: query, children }: FigureProps<T, Key>): ReactNode {
  const { ref, inViewport } = useInViewport();
  const { data } = useQuery({ ...query, enabled: inViewport, refetchInterval: FIGURES_REFRESH_MS });
  return (
    <div ref={ref} style={{ minHeight: 26 }}>
      {data !== undefined && children(data)}
    </div>
  );
}

function LastDay({ totals, points }: Stats): ReactNode {
  const failed = failedOf(totals);
  if (totals.delivered + failed === 0) return <span className="muted">no calls</span>;
  const bars = inBars(points, BARS);
  return (
    <OutcomeTrend
      label={`Last day: ${totals.delivered} delivered, ${failed} failed`}
      delivered={bars.map((bar) => bar.delivered)}
      failed={bars.map((bar) => bar.failed)}
    />
  );
}
