import type { ReactNode } from 'react';
import type { Schemas } from '../api/client';

type Point = Pick<Schemas['DeliveryStatsPointDto'], 'start' | 'delivered' | 'failed'>;

const HEIGHT = 48;
const WIDTH = 10;
const LEAST = 2;

/** Total number of failed calls. */
export const failedOf = ({ failed }: Pick<Point, 'failed'>): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

/** Success rate as text; empty without calls. Only 0 % and 100 % have no decimal. */
export function shareOf(perMillion: number | null): string {
  if (perMillion === null) return '';
  if (perMillion === 0 || perMillion === 1_000_000) return `${perMillion / 10_000} %`;
  return `${(Math.floor(perMillion / 1_000) / 10).toFixed(1)} %`;
}

interface OutcomeBarsProps {
  readonly points: readonly Point[];
  /** Number of bars to group the points into. */
  readonly bars: number;
  readonly label: string;
  /** Human-readable time of a bar. */
  readonly timeOf: (start: number) => string;
}

interface SpanProps {
  readonly from: string;
  /** Meaning of the tallest bar; empty if there is none. */
  readonly most: string;
}

/** Caption of a bar chart: its time range and scale. */
export function Span({ from, most }: SpanProps): ReactNode {
  return (
    <div className="span" aria-hidden="true">
      <span>{from}</span>
      <span>{most}</span>
      <span>now</span>
    </div>
  );
}

/** Bar chart of delivered and failed calls over time. */
export function OutcomeBars({ points, bars, label, timeOf }: OutcomeBarsProps): ReactNode {
  const all = inBars(points, bars);
  const heights = heightsOf(all, HEIGHT);
  const sums = all.map((bar, index) => ({ ...bar, ...(heights[index] ?? { good: 0, bad: 0 }) }));
  return (
    <svg viewBox={`0 0 ${bars * WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
      {sums.map(({ start, delivered, failed, good, bad }, index) => (
        <g key={index}>
          <title>{`${timeOf(start)}: ${delivered} delivered, ${failed} failed`}</title>
          <rect className="base" x={index * WIDTH} y={HEIGHT - 1} width={WIDTH - 2} height={1} />
          <rect className="good" x={index * WIDTH} y={HEIGHT - good} width={WIDTH - 2} height={good} />
          <rect className="bad" x={index * WIDTH} y={HEIGHT - good - bad} width={WIDTH - 2} height={bad} />
        </g>
      ))}
    </svg>
  );
}

interface Bar {
  readonly start: number;
  readonly delivered: number;
  readonly failed: number;
}

const callsOf = ({ delivered, failed }: Omit<Bar, 'start'>): number => delivered + failed;

/** Describes the unit and scale of the bars; empty without calls. */
export function mostCalls(points: readonly Point[], bars: number, per: string): string {
  const most = Math.max(0, ...inBars(points, bars).map(callsOf));
  return most === 0 ? '' : `Attempts per ${per}; tallest bar: ${most}`;
}

interface Heights {
  readonly good: number;
  readonly bad: number;
}

/** Heights of the bar parts, scaled to a maximum of `height`. Even a single call stays visible. */
export function heightsOf(bars: readonly Omit<Bar, 'start'>[], height: number): Heights[] {
  const scale = height / Math.max(1, ...bars.map(callsOf));
  const least = (count: number): number => (count === 0 ? 0 : Math.max(LEAST, count * scale));
  return bars.map(({ delivered, failed }) => {
    const bad = least(failed);
    return { bad, good: Math.min(least(delivered), height - bad) };
  });
}

function inBars(points: readonly Point[], bars: number): Bar[] {
  const size = Math.ceil(points.length / bars);
  return Array.from({ length: bars }, (_, index) => {
    const part = points.slice(index * size, (index + 1) * size);
    return {
      start: part[0]?.start ?? 0,
      delivered: part.reduce((sum, { delivered }) => sum + delivered, 0),
      failed: part.reduce((sum, point) => sum + failedOf(point), 0),
    };
  });
}
