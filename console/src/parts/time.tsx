import { Tooltip, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { type TimePreference, useClock, useTimePreference } from './clock';

type Format = Intl.DateTimeFormatOptions;

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** Older times are shown as dates. */
const MAX_RELATIVE = 30 * DAY;
const NOW = 3 * SECOND;
const STEPS = [
  ['d', DAY],
  ['h', 3_600 * SECOND],
  ['min', 60 * SECOND],
  ['s', SECOND],
] as const;
const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', 3_600 * SECOND],
  ['minute', 60 * SECOND],
] as const;

const EXACT: Format = { dateStyle: 'medium', timeStyle: 'long' };
const DATE: Format = { dateStyle: 'medium' };
const SHORT: Format = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};

const formatIn = (at: number, format: Format, preferred: TimePreference): string =>
  new Intl.DateTimeFormat(undefined, preferred === 'utc' ? { ...format, timeZone: 'UTC' } : format).format(
    at,
  );

interface TimeProps {
  /** In milliseconds; 0 if it never happened. */
  readonly at: number;
  /** Shown instead of 0. */
  readonly none?: string;
  /** Reads `3 min ago`, for use within a sentence. */
  readonly isInText?: boolean;
  /** A time when something is to happen: once it has passed, it reads `due now`. */
  readonly isDue?: boolean;
}

/** A time in short, such as `3 min` or `in 6 min`; exact on hover and for screen readers. */
export function Time({ at, none = 'never', isInText = false, isDue = false }: TimeProps): ReactNode {
  const text = useClock((now, preferred) => {
    if (isDue && at <= now) return 'due now';
    return preferred === 'relative' ? distance(at, now, isInText) : inShort(at, now, preferred);
  });
  if (at === 0) return none && <span className="muted">{none}</span>;
  return <Hovered at={at}>{text}</Hovered>;
}

function distance(at: number, now: number, isInText: boolean): string {
  const ms = Math.abs(at - now);
  if (ms < NOW) return 'now';
  if (ms >= MAX_RELATIVE) return formatIn(at, DATE, 'absolute');
  const [unit, size] = STEPS.find(([, one]) => ms >= one) ?? STEPS[3];
  const text = `${Math.floor(ms / size)} ${unit}`;
  if (at > now) return `in ${text}`;
  return isInText ? `${text} ago` : text;
}

function inShort(at: number, now: number, preferred: TimePreference): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  const text = formatIn(at, isThisYear ? SHORT : { ...SHORT, year: 'numeric' }, preferred);
  return preferred === 'utc' ? `${text} UTC` : text;
}

interface HoveredProps {
  readonly at: number;
  readonly children: ReactNode;
}

/** Text with the exact time and its zone on hover. */
function Hovered({ at, children }: HoveredProps): ReactNode {
  const exact = formatIn(at, EXACT, useTimePreference());
  return (
    <Tooltip label={exact}>
      <time dateTime={new Date(at).toISOString()}>
        <span aria-hidden>{children}</span>
        <VisuallyHidden>{exact}</VisuallyHidden>
      </time>
    </Tooltip>
  );
}

interface ExactTimeProps {
  readonly at: number;
  /** Set to false if the date is shown next to it. */
  readonly hasDate?: boolean;
  readonly hasMs?: boolean;
}

/** Exact date and time, with milliseconds if useful, and the time zone on hover. */
export function ExactTime({ at, hasDate = true, hasMs = true }: ExactTimeProps): ReactNode {
  const preferred = useTimePreference();
  return (
    <Hovered at={at}>
      {hasDate && `${formatIn(at, {}, preferred)} `}
      {exactTime(at, preferred, hasMs)}
    </Hovered>
  );
}

/** Exact time of day, with milliseconds unless told otherwise. */
export function exactTime(at: number, preferred: TimePreference = 'absolute', hasMs = true): string {
  const fraction = hasMs ? { fractionalSecondDigits: 3 as const } : {};
  const format = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return formatIn(at, { ...format, ...fraction }, preferred);
}

/** Formats a duration in its largest unit, such as 2.5 hours. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${ms} ms`;
  const [unit, size] = UNITS.find(([, one]) => ms >= one) ?? ['second', SECOND];
  const count = Number((ms / size).toFixed(1));
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}
