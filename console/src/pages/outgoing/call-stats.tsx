import { Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Empty } from '../../parts/empty';
import { FaultNote } from '../../parts/fault-note';
import { LatencyChart } from '../../parts/latency-chart';
import { OutcomeChart } from '../../parts/outcome-chart';
import { failedOf, inBars, type Outcomes, shareOf } from '../../parts/outcomes';
import { formatDuration } from '../../parts/time';

type Stats = Schemas['DeliveryStatsDto'];

const REFRESH_MS = 10_000;
const HOURS = { hour: '2-digit', minute: '2-digit' } as const;
const DAYS = { day: 'numeric', month: 'short' } as const;
/** The time ranges, with their number of bars and how the time of a bar is written. */
const RANGES = {
  '1h': { label: '1 h', bars: 12, time: HOURS },
  '24h': { label: '24 h', bars: 24, time: HOURS },
  '7d': { label: '7 d', bars: 28, time: { ...DAYS, ...HOURS } },
  '30d': { label: '30 d', bars: 30, time: DAYS },
} as const satisfies Record<Stats['range'], object>;
type Range = keyof typeof RANGES;

/** Call statistics of a webhook. */
export const hookStats = (hookId: string, range: Range) =>
  statsQuery(['of-hook', hookId, range], () => {
    const params = { path: { hook_id: hookId }, query: { range } };
    return answerOf(api.GET('/api/v4/hooks/outgoing/{hook_id}/stats', { params }));
  });

/** Call statistics of an endpoint. */
export const endpointStats = (endpoint: string, range: Range = '24h') =>
  statsQuery(['of-endpoint', endpoint, range], () =>
    answerOf(api.GET('/api/v4/hooks/outgoing/deliveries/stats', { params: { query: { endpoint, range } } })),
  );

const statsQuery = (key: QueryKey, queryFn: () => Promise<Stats>) => ({
  ...{ queryKey: ['deliveries', 'stats', ...key], queryFn },
  ...{ refetchInterval: REFRESH_MS, staleTime: REFRESH_MS },
});

interface CallStatsProps {
  readonly query: (range: Range) => ReturnType<typeof statsQuery>;
  /** From the URL. */
  readonly range: string | undefined;
  /** Undefined if the range is not kept in the URL. */
  readonly onRange?: (range: Range) => void;
  /** Called with the bar that was clicked. */
  readonly onSelect: (bar: Outcomes) => void;
}

/** Figures and charts of calls over a time range. */
export function CallStats({ query, range: wanted = '24h', onRange, onSelect }: CallStatsProps): ReactNode {
  const [chosen, choose] = useState(wanted);
  const given = onRange ? wanted : chosen;
  const range = isRange(given) ? given : '24h';
  const { data, error } = useQuery(query(range));
  return (
    <Stack component="section" gap="sm" aria-label="Statistics">
      <Group justify="space-between">
        <Title order={2} size="h3" m={0}>
          Attempts
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Range"
          data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
          value={range}
          onChange={(one) => (onRange ?? choose)(one as Range)}
        />
      </Group>
      {error && <FaultNote error={error} />}
      {data ? <Charts stats={data} range={range} onSelect={onSelect} /> : !error && <Skeleton h={280} />}
    </Stack>
  );
}

const isRange = (text: string): text is Range => Object.hasOwn(RANGES, text);

interface ChartsProps extends Pick<CallStatsProps, 'onSelect'> {
  readonly stats: Stats;
  readonly range: Range;
}

function Charts({ stats: { totals, points }, range, onSelect }: ChartsProps): ReactNode {
  const { label, bars, time } = RANGES[range];
  const timeOf = (start: number): string => new Date(start).toLocaleString(undefined, time);
  const failed = failedOf(totals);
  if (totals.delivered + failed + totals.given_up === 0)
    return <Empty icon={IconSend} text={`No calls in the last ${label}.`} />;
  const outcomes = inBars(points, bars);
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Figure label="Delivered" value={counted(totals.delivered)} note="attempts" />
        <Figure
          label="Failed"
          value={counted(failed)}
          note={`${counted(totals.given_up)} deliveries failed`}
        />
        <Figure label="Success" value={shareOf(totals.success_per_million) || '–'} note="of attempts" />
        <Figure
          label="Response time, p99"
          value={timeOfCall(totals.p99_ms)}
          note={`median ${timeOfCall(totals.p50_ms)}`}
        />
      </SimpleGrid>
      <Paper withBorder p="sm">
        <OutcomeChart outcomes={outcomes} label={`Attempts: ${label}`} timeOf={timeOf} onSelect={onSelect} />
      </Paper>
      {totals.p50_ms !== null && (
        <Paper withBorder p="sm">
          <LatencyChart points={slowest(points, bars)} label={`Response times: ${label}`} timeOf={timeOf} />
        </Paper>
      )}
    </>
  );
}

const counted = (count: number): string => count.toLocaleString();
const timeOfCall = (ms: number | null): string => (ms === null ? '–' : formatDuration(ms));

function Figure(figure: {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}): ReactNode {
  return (
    <Paper withBorder p="sm">
      <Text size="sm" c="dimmed">
        {figure.label}
      </Text>
      <Text fz={22} fw={600} lh={1.3}>
        {figure.value}
      </Text>
      <Text size="xs" c="dimmed">
        {figure.note}
      </Text>
    </Paper>
  );
}

/** The slowest point of each bar. */
function slowest(points: Stats['points'], bars: number): Stats['points'] {
  const size = Math.ceil(points.length / bars);
  return Array.from({ length: bars }, (_, index) =>
    points.slice(index * size, (index + 1) * size).toSorted((a, b) => (b.p99_ms ?? 0) - (a.p99_ms ?? 0)),
  ).flatMap(([first]) => (first ? [first] : []));
}
