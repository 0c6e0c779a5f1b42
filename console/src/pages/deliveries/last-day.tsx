import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { lastDay } from './delivery-queries';

type Point = Schemas['DeliveryStatsPointDto'];

/** Bars of an hour each. */
const BARS = 24;
const HEIGHT = 48;
const WIDTH = 10;

const failedOf = ({ failed }: Pick<Point, 'failed'>): number =>
  Object.values(failed).reduce((sum, count) => sum + count, 0);

/** A strip of the last day: how many calls delivered and failed in each hour, and how fast they were answered. */
export function LastDay({ hookId }: { readonly hookId?: string }): ReactNode {
  const { data } = useQuery(lastDay(hookId));
  if (!data) return <div className="strip" />;
  const { totals } = data;
  const failed = failedOf(totals);
  const share =
    totals.success_per_million === null ? '' : `${(totals.success_per_million / 10_000).toFixed(1)} %`;
  return (
    <div className="strip">
      <Bars hours={inHours(data.points)} />
      <p>
        The last day: <b>{totals.delivered}</b> delivered, <b>{failed}</b> failed
        {share !== '' && ` (${share} good)`}
        {totals.p50_ms !== null &&
          `, answered in ${totals.p50_ms} ms; one in a hundred took ${totals.p99_ms} ms`}
      </p>
    </div>
  );
}

interface Hour {
  readonly start: number;
  readonly delivered: number;
  readonly failed: number;
}

function inHours(points: readonly Point[]): Hour[] {
  const size = Math.ceil(points.length / BARS);
  return Array.from({ length: BARS }, (_, index) => {
    const part = points.slice(index * size, (index + 1) * size);
    return {
      start: part[0]?.start ?? 0,
      delivered: part.reduce((sum, { delivered }) => sum + delivered, 0),
      failed: part.reduce((sum, point) => sum + failedOf(point), 0),
    };
  });
}

function Bars({ hours }: { readonly hours: readonly Hour[] }): ReactNode {
  const most = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed));
  const scale = HEIGHT / most;
  return (
    <svg viewBox={`0 0 ${BARS * WIDTH} ${HEIGHT}`} role="img" aria-label="Calls of each hour of the last day">
      {hours.map(({ start, delivered, failed }, index) => (
        <g key={index}>
          <title>{`${new Date(start).toLocaleTimeString()}: ${delivered} delivered, ${failed} failed`}</title>
          <rect className="base" x={index * WIDTH} y={HEIGHT - 1} width={WIDTH - 2} height={1} />
          <rect
            className="good"
            x={index * WIDTH}
            y={HEIGHT - delivered * scale}
            width={WIDTH - 2}
            height={delivered * scale}
          />
          <rect
            className="bad"
            x={index * WIDTH}
            y={HEIGHT - (delivered + failed) * scale}
            width={WIDTH - 2}
            height={failed * scale}
          />
        </g>
      ))}
    </svg>
  );
}
