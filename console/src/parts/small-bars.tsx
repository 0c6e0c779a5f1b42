import type { ReactNode } from 'react';
import { heightsOf } from './outcome-bars';

const HEIGHT = 24;
const WIDTH = 4;

interface SmallBarsProps {
  /** Delivered and failed calls per bar. */
  readonly delivered: readonly number[];
  readonly failed: readonly number[];
  readonly label: string;
}

/** Outcome chart for a table row. Always three shapes, because a list has hundreds of charts. */
export function SmallBars({ delivered, failed, label }: SmallBarsProps): ReactNode {
  const heights = heightsOf(
    delivered.map((count, bar) => ({ delivered: count, failed: failed[bar] ?? 0 })),
    HEIGHT,
  );
  const base = heights.map((_, bar) => shape(bar, HEIGHT - 1, 1));
  const good = heights.map((one, bar) => shape(bar, HEIGHT - one.good, one.good));
  const bad = heights.map((one, bar) => shape(bar, HEIGHT - one.good - one.bad, one.bad));
  return (
    <svg viewBox={`0 0 ${delivered.length * WIDTH} ${HEIGHT}`} role="img" preserveAspectRatio="none">
      <title>{label}</title>
      <path className="base" d={base.join('')} />
      <path className="good" d={good.join('')} />
      <path className="bad" d={bad.join('')} />
    </svg>
  );
}

/** A bar, or part of one, as an SVG path segment. */
function shape(bar: number, top: number, height: number): string {
  return height === 0 ? '' : `M${bar * WIDTH} ${top}h${WIDTH - 1}v${height}h${1 - WIDTH}z`;
}
