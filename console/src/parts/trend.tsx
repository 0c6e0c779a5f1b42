import { Box } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense } from 'react';

const OutcomeTrendPlot = lazy(async () => ({ default: (await import('./plots')).OutcomeTrendPlot }));
const TrendPlot = lazy(async () => ({ default: (await import('./plots')).TrendPlot }));

interface BoxProps {
  readonly label: string;
  readonly width?: number | string;
  readonly height?: number;
}

interface TrendProps extends BoxProps {
  readonly values: readonly number[];
  readonly color?: string;
}

/** A small line without axes. */
export function Trend({ values, color = 'green', ...box }: TrendProps): ReactNode {
  return (
    <Drawing {...box}>
      <TrendPlot values={values} color={color} />
    </Drawing>
  );
}

interface OutcomeTrendProps extends BoxProps {
  /** Delivered and failed calls per bar. */
  readonly delivered: readonly number[];
  readonly failed: readonly number[];
}

/** Small bars of delivered and failed calls. */
export function OutcomeTrend({ delivered, failed, ...box }: OutcomeTrendProps): ReactNode {
  return (
    <Drawing {...box}>
      <OutcomeTrendPlot delivered={delivered} failed={failed} />
    </Drawing>
  );
}

const BASE = { borderBottom: '1px solid var(--mantine-color-default-border)' } as const;

/** It is drawn while visible, because a list has hundreds of them. */
function Drawing({
  label,
  width = 104,
  height = 26,
  children,
}: BoxProps & { readonly children: ReactNode }): ReactNode {
  const { ref, inViewport } = useInViewport();
  return (
    <Box ref={ref} role="img" aria-label={label} w={width} h={height} style={BASE}>
      {inViewport && <Suspense>{children}</Suspense>}
    </Box>
  );
}
