import {
  Anchor,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { useTimePreference } from '../../parts/clock';
import { Empty } from '../../parts/empty';
import { FaultNote } from '../../parts/fault-note';
import { OutcomeChart } from '../../parts/outcome-chart';
import { shareOf } from '../../parts/outcomes';
import { StatCard } from '../../parts/stat-card';
import { formatDuration } from '../../parts/time';
import { barsOf, type Course, courseOf, pointsOf, type Range, RANGES } from './overview-queries';

const DAY_MS = 86_400_000;
const CHART_HEIGHT = 220;
const NO_BREAK = '\u00a0';
const FORMATS = {
  '24h': { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  '7d': { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  '30d': { day: 'numeric', month: 'short' },
} as const;

interface FiguresProps {
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  /** Webhooks that are counted; undefined for all of the server. */
  readonly hookIds: readonly string[] | undefined;
  readonly scope: string;
}

/** The last day in four figures, and a chart of a chosen range. */
export function Figures({ range, onRange, hookIds, scope }: FiguresProps): ReactNode {
  const day = useQuery(courseOf(hookIds, '24h'));
  const week = useQuery({ ...courseOf(hookIds, '7d'), enabled: day.isFetched });
  const shown = useQuery({ ...courseOf(hookIds, range), enabled: range === '24h' || day.isFetched });
  const ranges = Object.entries(RANGES).filter(([name]) => name !== '30d' || hookIds === undefined);
  return (
    <Stack component="section" aria-label="Attempts" gap="sm">
      <SimpleGrid cols={{ base: 2, lg: hookIds ? 3 : 4 }} spacing="sm">
        {day.data ? (
          <Cards day={day.data} week={week.data} isAll={hookIds === undefined} />
        ) : (
          ['delivered', 'failed', 'rate', 'p99'].map((name) => (
            <Skeleton key={name} h={106} animate={!day.error} />
          ))
        )}
      </SimpleGrid>
      <Paper withBorder p="md">
        <Group justify="space-between" mb="xs">
          <Title order={2} m={0}>
            Attempts{' '}
            <Text span c="dimmed" size="sm">
              last {RANGES[range]}
              {scope && `, ${scope}`}
            </Text>
          </Title>
          <SegmentedControl
            size="xs"
            aria-label="Range"
            value={range}
            onChange={(chosen) => onRange(chosen as Range)}
            data={ranges.map(([value]) => ({ value, label: value.replace(/(\d+)/, '$1 ') }))}
          />
        </Group>
        <Chart query={shown} range={range} isLinked={hookIds === undefined} />
      </Paper>
    </Stack>
  );
}

interface ChartProps {
  readonly query: UseQueryResult<Course>;
  readonly range: Range;
  /** Whether a bar leads to its deliveries. */
  readonly isLinked: boolean;
}

function Chart({ query: { data, error }, range, isLinked }: ChartProps): ReactNode {
  const navigate = useNavigate();
  const timeZone = useTimePreference() === 'utc' ? 'UTC' : undefined;
  const format = new Intl.DateTimeFormat(undefined, { ...FORMATS[range], timeZone });
  const bars = data && barsOf(data, range);
  const isEmpty = bars?.every(({ delivered, failed }) => delivered + failed === 0) ?? false;
  return (
    <>
      {error && <FaultNote error={error} />}
      {!bars && !error && <Skeleton h={CHART_HEIGHT} />}
      {isEmpty && (
        <Empty
          icon={IconChartBar}
          text={`No attempts in the last ${RANGES[range]}. They appear when an outgoing webhook fires.`}
        />
      )}
      {bars && !isEmpty && (
        <OutcomeChart
          outcomes={bars}
          height={CHART_HEIGHT}
          label={`Attempts of the last ${RANGES[range]}`}
          timeOf={(start) => format.format(start)}
          onSelect={
            isLinked
              ? ({ start, end }) =>
                  void navigate({
                    to: '/deliveries',
                    search: { since: String(start), ...(end !== undefined && { before: String(end) }) },
                  })
              : undefined
          }
        />
      )}
    </>
  );
}

interface CardsProps {
  readonly day: Course;
  /** For the day before; undefined while it loads. */
  readonly week: Course | undefined;
  readonly isAll: boolean;
}

function Cards({ day, week, isAll }: CardsProps): ReactNode {
  const bars = barsOf(day, '24h');
  const now = sumOf(day.points);
  const before = week && sumOf(pointsOf(week, 48, 24));
  const p99s = week ? pointsOf(week, 24, 0).map(({ p99 }) => p99 ?? 0) : [];
  return (
    <>
      <StatCard
        label={<ToDeliveries status={isAll ? 'delivered' : undefined}>Delivered</ToDeliveries>}
        value={now.delivered.toLocaleString()}
        before={change(now.delivered, before?.delivered, true)}
        trend={{ values: bars.map(({ delivered }) => delivered), label: 'Delivered by hour' }}
      />
      <StatCard
        label={<ToDeliveries status={isAll ? 'failed,retrying' : undefined}>Failed attempts</ToDeliveries>}
        value={now.failed.toLocaleString()}
        before={change(now.failed, before?.failed, false)}
        trend={{ values: bars.map(({ failed }) => failed), label: 'Failed attempts by hour', color: 'red' }}
      />
      <StatCard
        label="Success rate"
        value={shareOf(rateOf(now)).replace(' ', NO_BREAK) || '–'}
        before={difference(rateOf(now), before ? rateOf(before) : null)}
        trend={{
          values: bars.flatMap((bar) => rateOf(bar) ?? []),
          label: 'Success rate by hour',
          color: 'blue',
        }}
      />
      {isAll && (
        <StatCard
          label="Response time, p99"
          value={day.p99 === null ? '–' : formatDuration(day.p99).replace(' ', NO_BREAK)}
          trend={{ values: p99s, label: 'Response time by hour', color: 'yellow' }}
        />
      )}
    </>
  );
}

interface ToDeliveriesProps {
  readonly status: string | undefined;
  readonly children: string;
}

function ToDeliveries({ status, children }: ToDeliveriesProps): ReactNode {
  if (status === undefined) return children;
  return (
    <Anchor
      c="dimmed"
      size="sm"
      underline="hover"
      renderRoot={(props) => (
        <Link to="/deliveries" search={{ status, since: String(Date.now() - DAY_MS) }} {...props} />
      )}
    >
      {children}
    </Anchor>
  );
}

type Counts = Readonly<Record<'delivered' | 'failed', number>>;

const sumOf = (points: readonly Counts[]): Counts => ({
  delivered: points.reduce((sum, { delivered }) => sum + delivered, 0),
  failed: points.reduce((sum, { failed }) => sum + failed, 0),
});

/** Successes per million. */
const rateOf = ({ delivered, failed }: Counts): number | null =>
  delivered + failed === 0 ? null : Math.floor((delivered * 1e6) / (delivered + failed));

type Change = ComponentProps<typeof StatCard>['before'];

function change(now: number, before: number | undefined, isMoreBetter: boolean): Change {
  if (before === undefined || before === 0 || now === before) return undefined;
  const isUp = now > before;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  return { text: `${percent.toLocaleString()} % vs day before`, isUp, isGood: isUp === isMoreBetter };
}

function difference(now: number | null, before: number | null): Change {
  if (now === null || before === null || now === before) return undefined;
  const points = (Math.abs(now - before) / 1e4).toFixed(1);
  return { text: `${points} points vs day before`, isUp: now > before, isGood: now > before };
}
