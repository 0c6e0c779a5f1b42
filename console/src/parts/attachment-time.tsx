import type { ReactNode } from 'react';

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** Larger numbers are milliseconds: as seconds they would be after the year 5138. */
const MOST_SECONDS = 1e11;
const NUMBER = /^\d{1,16}(?:\.\d{1,9})?$/;
const DATE = /^\d{4}-\d\d-\d\d/;

/** Attachment time, given in seconds, milliseconds or as a date; other values are shown as they are. */
export function AttachmentTime({ ts }: { readonly ts: string | number }): ReactNode {
  const date = new Date(timeOf(ts));
  if (Number.isNaN(date.getTime())) return ts;
  return <time dateTime={date.toISOString()}>{LOCAL.format(date)}</time>;
}

function timeOf(ts: string | number): number {
  if (typeof ts === 'string' && !NUMBER.test(ts)) return DATE.test(ts) ? Date.parse(ts) : NaN;
  const at = Number(ts);
  return Math.abs(at) < MOST_SECONDS ? at * 1_000 : at;
}
