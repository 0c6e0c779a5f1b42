import type { ReactNode } from 'react';

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago, with the exact local time on hover; `none` for what has not happened. `at` in milliseconds. */
export function Time({ at, none = 'never' }: { readonly at: number; readonly none?: string }): ReactNode {
  if (at === 0) return <span className="muted">{none}</span>;
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={EXACT.format(date)}>
      {fromNow(at)}
    </time>
  );
}

function fromNow(at: number): string {
  const seconds = (at - Date.now()) / 1_000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.round(seconds / size), unit);
  return RELATIVE.format(Math.round(seconds), 'second');
}

/** The exact local time with milliseconds. */
export function exactTime(at: number): string {
  const milliseconds = String(at % 1_000).padStart(3, '0');
  return `${new Date(at).toLocaleTimeString(undefined, { hour12: false })}.${milliseconds}`;
}
