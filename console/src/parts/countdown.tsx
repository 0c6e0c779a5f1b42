import type { ReactNode } from 'react';
import { useClock } from './clock';

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

interface CountdownProps {
  /** In milliseconds. */
  readonly until: number;
  /** Text before the remaining time. */
  readonly before: string;
  /** Text after the time has passed. */
  readonly over: string;
}

/** Counts down to a time, second by second. */
export function Countdown({ until, before, over }: CountdownProps): ReactNode {
  const text = useClock((now) =>
    until > now ? `${before} ${describe(Math.ceil((until - now) / 1_000))}` : over,
  );
  return <span>{text}</span>;
}

/** The largest unit and the next smaller one, if not zero. */
function describe(seconds: number): string {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  let rest = seconds;
  return UNITS.slice(first, first + 2)
    .flatMap(([name, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count === 0 ? [] : [`${count} ${count === 1 ? name : `${name}s`}`];
    })
    .join(' ');
}
