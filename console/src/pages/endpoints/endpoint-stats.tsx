import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { FaultNote } from '../../parts/fault-note';
import { Span } from '../../parts/outcome-bars';
import { CallsStrip, timeInShort } from '../deliveries/calls-strip';
import { endpointStats, type Range, RANGES } from './endpoint-queries';

type Stats = Schemas['DeliveryStatsDto'];

const HEIGHT = 48;
const STEP = 10;
const BARS: Readonly<Record<Range, number>> = { '1h': 12, '24h': 24, '7d': 28, '30d': 30 };
const NAMES: Readonly<Record<Range, string>> = {
  '1h': 'An hour',
  '24h': 'A day',
  '7d': 'A week',
  '30d': '30 days',
};

/** Time span of a bar. */
const PER: Readonly<Record<Range, string>> = {
  '1h': '5 minutes',
  '24h': 'hour',
  '7d': '6 hours',
  '30d': 'day',
};
const AGO: Readonly<Record<Range, string>> = {
  '1h': 'an hour ago',
  '24h': '24 hours ago',
  '7d': 'a week ago',
  '30d': '30 days ago',
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
      {data ? <Charts stats={data} range={range} /> : <div className="strip" />}
    </section>
  );
}

function Charts({ stats, range }: { readonly stats: Stats; readonly range: Range }): ReactNode {
  const { totals, points } = stats;
  const slow = slowest(points, BARS[range]);
  const mostMs = Math.max(0, ...slow.map(({ p99_ms: ms }) => ms ?? 0));
  return (
    <>
      <CallsStrip
        stats={stats}
        bars={BARS[range]}
        per={PER[range]}
        label={`Calls: ${NAMES[range]}`}
        from={AGO[range]}
        none="No calls in this time."
        timeOf={(start) => new Date(start).toLocaleString()}
      />
      {totals.p50_ms !== null && (
        <>
          <h3>Response times</h3>
          <div className="strip">
            <Latencies points={slow} label={`How long answers took: ${NAMES[range]}`} />
            <Span from={AGO[range]} most={`Tallest bar: ${timeInShort(mostMs)}`} />
            <p className="muted">
              <span className="key half">median</span> <span className="key most">p99</span>
            </p>
          </div>
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

/** Latency quantiles of each point, with gaps where there were no responses. */
function Latencies({
  points,
  label,
}: {
  readonly points: Stats['points'];
  readonly label: string;
}): ReactNode {
  const most = Math.max(1, ...points.map(({ p99_ms: ms }) => ms ?? 0));
  return (
    <svg
      viewBox={`0 0 ${points.length * STEP} ${HEIGHT}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {points.map(({ start, p50_ms: half, p99_ms: most99 }, index) =>
        half === null || most99 === null ? null : (
          <g key={start}>
            <title>{`${new Date(start).toLocaleString()}: half within ${half} ms, 99 of 100 within ${most99} ms`}</title>
            <Level className="most" at={index} share={most99 / most} />
            <Level className="half" at={index} share={half / most} />
          </g>
        ),
      )}
    </svg>
  );
}

interface LevelProps {
  readonly className: string;
  readonly at: number;
  readonly share: number;
}

function Level({ className, at, share }: LevelProps): ReactNode {
  const height = Math.max(2, share * HEIGHT);
  return <rect className={className} x={at * STEP} y={HEIGHT - height} width={STEP - 1} height={height} />;
}
