import { Skeleton, VisuallyHidden } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Outcomes } from './outcomes';

/** Loaded on demand, because it includes the chart library. */
const OutcomePlot = lazy(async () => ({ default: (await import('./plots')).OutcomePlot }));

interface OutcomeChartProps {
  readonly outcomes: readonly Outcomes[];
  readonly label: string;
  /** Human-readable time of a bar. */
  readonly timeOf: (start: number) => string;
  readonly height?: number;
  /** Called with the bar that was clicked. */
  readonly onSelect?: ((bar: Outcomes) => void) | undefined;
}

/** Delivered and failed calls over time, as stacked bars; a table for screen readers. */
export function OutcomeChart({
  outcomes,
  label,
  timeOf,
  height = 160,
  onSelect,
}: OutcomeChartProps): ReactNode {
  return (
    <>
      <div role="img" aria-label={label}>
        <Suspense fallback={<Skeleton h={height} />}>
          <OutcomePlot outcomes={outcomes} timeOf={timeOf} height={height} onSelect={onSelect} />
        </Suspense>
      </div>
      <VisuallyHidden component="div">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Delivered</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {outcomes
              .filter(({ delivered, failed }) => delivered + failed > 0)
              .map(({ start, delivered, failed }) => (
                <tr key={start}>
                  <th scope="row">{timeOf(start)}</th>
                  <td>{delivered}</td>
                  <td>{failed}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}
