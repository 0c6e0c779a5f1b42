import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { FaultNote } from '../../parts/fault-note';
import { LatencyChart } from '../../parts/latency-chart';
import { CallsStrip } from '../deliveries/calls-strip';
import { endpointStats, type Range, RANGES } from './endpoint-queries';

type Stats = Schemas['DeliveryStatsDto'];

const BARS: Readonly<Record<Range, number>> = { '1h': 12, '24h': 24, '7d': 28, '30d': 30 };
const NAMES: Readonly<Record<Range, string>> = {
  '1h': 'An hour',
  '24h': 'A day',
  '7d': 'A week',
  '30d': '30 days',
};

const HOURS = { hour: '2-digit', minute: '2-digit' } as const;
const DAYS = { day: 'numeric', month: 'short' } as const;
/** How the time of a bar is written. */
const TIMES: Readonly<Record<Range, Intl.DateTimeFormatOptions>> = {
  '1h': HOURS,
  '24h': HOURS,
  '7d': { ...DAYS, ...HOURS },
  '30d': DAYS,
};

interface EndpointStatsProps {
  readonly endpoint: string;
  readonly range: Range;
  readonly onChoose: (range: Range) => void;
}

/** Call statistics of an endpoint over a range: deliveries and response times. */
export function EndpointStats({ endpoint, range, onChoose }: EndpointStatsProps): ReactNode {
  const { data, error } = useQuery(endpointStats(endpoint, range));
  return (
    <section aria-label="How calls went">
      <h2>How calls went</h2>
      <div className="row" role="group" aria-label="Range">
        {RANGES.map((one) => (
          <Button
            variant="default"
            size="compact-xs"
            key={one}
            aria-pressed={one === range}
            onClick={() => onChoose(one)}
          >
            {NAMES[one]}
          </Button>
        ))}
      </div>
      {error && <FaultNote error={error} />}
      {data ? <Charts stats={data} range={range} /> : <Skeleton h={160} />}
    </section>
  );
}

function Charts({ stats, range }: { readonly stats: Stats; readonly range: Range }): ReactNode {
  const { totals, points } = stats;
  const timeOf = (start: number): string => new Date(start).toLocaleString(undefined, TIMES[range]);
  return (
    <>
      <CallsStrip
        stats={stats}
        bars={BARS[range]}
        label={`Calls: ${NAMES[range]}`}
        none="No calls in this time."
        timeOf={timeOf}
      />
      {totals.p50_ms !== null && (
        <>
          <h3>Response times</h3>
          <LatencyChart
            points={slowest(points, BARS[range])}
            label={`How long answers took: ${NAMES[range]}`}
            timeOf={timeOf}
          />
        </>
      )}
    </>
  );
}

/** The slowest point of each bar. */
function slowest(points: Stats['points'], bars: number): Stats['points'] {
  const size = Math.ceil(points.length / bars);
  return Array.from({ length: bars }, (_, index) =>
    points.slice(index * size, (index + 1) * size).toSorted((a, b) => (b.p99_ms ?? 0) - (a.p99_ms ?? 0)),
  ).flatMap(([first]) => (first ? [first] : []));
}
