import { Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Schemas } from '../api/client';

const LatencyPlot = lazy(async () => ({ default: (await import('./plots')).LatencyPlot }));

export type Latency = Pick<Schemas['DeliveryStatsPointDto'], 'start' | 'p50_ms' | 'p99_ms'>;

interface LatencyChartProps {
  /** Points without responses leave gaps. */
  readonly points: readonly Latency[];
  readonly label: string;
  /** Human-readable time of a point. */
  readonly timeOf: (start: number) => string;
  readonly height?: number;
}

/** Median and 99th percentile of response times over time. */
export function LatencyChart({ points, label, timeOf, height = 160 }: LatencyChartProps): ReactNode {
  return (
    <div role="img" aria-label={label}>
      <Suspense fallback={<Skeleton h={height} />}>
        <LatencyPlot points={points} timeOf={timeOf} height={height} />
      </Suspense>
    </div>
  );
}
