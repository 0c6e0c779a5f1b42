import { type ReactNode, useSyncExternalStore } from 'react';

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Recent times update every second. */
const TICK_MS = 1_000;

/** One shared timer for all displayed times; it runs only while there are any. */
const watchers = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  clock ??= setInterval(() => {
    for (const one of watchers) one();
  }, TICK_MS);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

/** Relative time, with the exact local time on hover; `none` if it never happened. `at` is in ms. */
export function Time({ at, none = 'never' }: { readonly at: number; readonly none?: string }): ReactNode {
  const text = useSyncExternalStore(watch, () => fromNow(at)); // rerenders only if the text changes
  if (at === 0) return none && <span className="muted">{none}</span>;
  return <Hovered at={at}>{text}</Hovered>;
}

interface HoveredProps {
  readonly at: number;
  readonly children: ReactNode;
}

/** Text with the exact local time and time zone on hover. */
function Hovered({ at, children }: HoveredProps): ReactNode {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={EXACT.format(date)}>
      {children}
    </time>
  );
}

function fromNow(at: number): string {
  const seconds = (at - Date.now()) / 1_000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.round(seconds / size), unit);
  return RELATIVE.format(Math.round(seconds), 'second');
}

interface ExactTimeProps {
  readonly at: number;
  /** Set to false if the date is shown next to it. */
  readonly hasDate?: boolean;
  readonly hasMs?: boolean;
}

/** Exact local date and time, with milliseconds if useful, and the time zone on hover. */
export function ExactTime({ at, hasDate = true, hasMs = true }: ExactTimeProps): ReactNode {
  return (
    <Hovered at={at}>
      {hasDate && `${new Date(at).toLocaleDateString()} `}
      {hasMs ? exactTime(at) : timeOfDay(at)}
    </Hovered>
  );
}

/** Exact local time with milliseconds. */
export function exactTime(at: number): string {
  const milliseconds = String(at % 1_000).padStart(3, '0');
  return `${timeOfDay(at)}.${milliseconds}`;
}

const timeOfDay = (at: number): string => new Date(at).toLocaleTimeString(undefined, { hourCycle: 'h23' });

/** Formats a duration in its largest unit, such as 2.5 hours. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const [unit, size] = STEPS.find(([, one]) => ms >= one * 1_000) ?? ['second', 1];
  const count = Number((ms / size / 1_000).toFixed(1));
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}
