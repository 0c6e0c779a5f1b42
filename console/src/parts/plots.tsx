import { BarChart, LineChart, Sparkline } from '@mantine/charts';
import '@mantine/charts/styles.layer.css';
import type { ReactNode } from 'react';
import type { Latency } from './latency-chart';
import type { Outcomes } from './outcomes';
import { formatDuration } from './time';

const SERIES = [
  { name: 'delivered', label: 'Delivered', color: 'green.6' },
  { name: 'failed', label: 'Failed', color: 'red.6' },
];
const COMMON = {
  withLegend: true,
  legendProps: { verticalAlign: 'top', height: 28 },
  tickLine: 'none',
  accessibilityLayer: false, // the charts have texts for screen readers
  xAxisProps: { minTickGap: 40 },
} as const;
/** Even a single call stays visible. The library passes sums of stacked bars instead of their values. */
const heightsOf =
  (bars: readonly Readonly<Record<'delivered' | 'failed', number>>[]) =>
  ({ name }: { readonly name: string }) => ({
    minPointSize: (_: unknown, index: number) => (bars[index]?.[name as 'delivered' | 'failed'] ? 2 : 0),
  });
const counted = (count: number): string => count.toLocaleString();

interface OutcomePlotProps {
  readonly outcomes: readonly Outcomes[];
  readonly timeOf: (start: number) => string;
  readonly height: number;
  readonly onSelect: ((bar: Outcomes) => void) | undefined;
}

/** The bars of `OutcomeChart`. */
export function OutcomePlot({ outcomes, timeOf, height, onSelect }: OutcomePlotProps): ReactNode {
  return (
    <BarChart
      type="stacked"
      h={height}
      data={outcomes.map((bar) => ({ ...bar, time: timeOf(bar.start) }))}
      dataKey="time"
      series={SERIES}
      valueFormatter={counted}
      {...COMMON}
      maxBarWidth={28}
      barProps={heightsOf(outcomes)}
      style={onSelect && { cursor: 'pointer' }}
      yAxisProps={{ width: 44, allowDecimals: false }}
      barChartProps={{
        barCategoryGap: '18%',
        onClick: ({ activeIndex }) => {
          const bar = outcomes[Number(activeIndex)];
          if (bar) onSelect?.(bar);
        },
      }}
    />
  );
}

interface TrendPlotProps {
  readonly values: readonly number[];
  readonly color: string;
}

/** The line of `Trend`. */
export function TrendPlot({ values, color }: TrendPlotProps): ReactNode {
  return <Sparkline h="100%" data={[...values]} color={color} strokeWidth={1.5} curveType="monotone" />;
}

interface OutcomeTrendPlotProps {
  readonly delivered: readonly number[];
  readonly failed: readonly number[];
}

/** The bars of `OutcomeTrend`. */
export function OutcomeTrendPlot({ delivered, failed }: OutcomeTrendPlotProps): ReactNode {
  const bars = delivered.map((count, bar) => ({ bar, delivered: count, failed: failed[bar] ?? 0 }));
  return (
    <BarChart
      type="stacked"
      h="100%"
      data={bars}
      dataKey="bar"
      series={SERIES}
      withXAxis={false}
      withYAxis={false}
      withTooltip={false}
      gridAxis="none"
      accessibilityLayer={false}
      barProps={heightsOf(bars)}
      barChartProps={{ margin: { top: 0, right: 0, bottom: 0, left: 0 }, barCategoryGap: 1 }}
    />
  );
}

interface LatencyPlotProps {
  readonly points: readonly Latency[];
  readonly timeOf: (start: number) => string;
  readonly height: number;
}

/** The lines of `LatencyChart`. */
export function LatencyPlot({ points, timeOf, height }: LatencyPlotProps): ReactNode {
  return (
    <LineChart
      h={height}
      data={points.map((point) => ({ ...point, time: timeOf(point.start) }))}
      dataKey="time"
      series={[
        { name: 'p50_ms', label: 'Median', color: 'blue.6' },
        { name: 'p99_ms', label: 'p99', color: 'yellow.7' },
      ]}
      valueFormatter={formatDuration}
      {...COMMON}
      curveType="monotone"
      connectNulls={false}
      strokeWidth={2}
      dotProps={{ r: 2 }}
      yAxisProps={{ width: 70 }}
    />
  );
}
