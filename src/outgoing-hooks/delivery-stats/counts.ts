import type { DeliveryFacts } from '../../delivery/dispatch/dispatch.events.js';
import type { OutboundErrorClass } from '../../delivery/outbound/outbound-failure.js';
import { LATENCY_BUCKETS, latencyBucket } from './latencies.js';

/** How attempts end, and deliveries that are not attempted again. Columns of the table. */
export const OUTCOMES = [
  'delivered',
  'failed_4xx',
  'failed_5xx',
  'failed_timeout',
  'failed_connection',
  'failed_other',
  'given_up',
] as const;
export type CountedOutcome = (typeof OUTCOMES)[number];

/** All columns that count, in the order of Counts. */
export const COUNT_COLUMNS: readonly string[] = [
  ...OUTCOMES,
  ...Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => `latency_${bucket}`),
];

/** A number for each of COUNT_COLUMNS. */
export type Counts = readonly number[];

const NO_CONNECTION: ReadonlySet<string> = new Set<OutboundErrorClass>([
  'refused_address',
  'dns',
  'connect',
  'tls',
  'reset',
]);

/** Nothing counted yet. */
export function noCounts(): number[] {
  return new Array<number>(COUNT_COLUMNS.length).fill(0);
}

/** Adds counts to others. */
export function addCounts(to: number[], counts: Counts): void {
  for (const [column, count] of counts.entries()) to[column] = (to[column] ?? 0) + count;
}

/** How many there are of an outcome. */
export function countOf(counts: Counts, outcome: CountedOutcome): number {
  return counts[OUTCOMES.indexOf(outcome)] ?? 0;
}

/** How many attempts there were. */
export function attemptsOf(counts: Counts): number {
  return OUTCOMES.reduce((sum, name) => (name === 'given_up' ? sum : sum + countOf(counts, name)), 0);
}

/** The buckets of latencies. */
export function latenciesOf(counts: Counts): readonly number[] {
  return counts.slice(OUTCOMES.length);
}

/** The columns that an attempt counts in: its outcome and, if there was an answer, its latency. */
export function columnsOf(outcome: CountedOutcome, { errorClass, durationMs }: DeliveryFacts): number[] {
  const column = OUTCOMES.indexOf(outcome);
  return errorClass === '' ? [column, OUTCOMES.length + latencyBucket(durationMs)] : [column];
}

/** How a failed attempt failed. */
export function failureOf({ statusCode, errorClass }: DeliveryFacts): CountedOutcome {
  if (errorClass === 'timeout') return 'failed_timeout';
  if (NO_CONNECTION.has(errorClass)) return 'failed_connection';
  if (errorClass !== '') return 'failed_other';
  if (statusCode >= 500) return 'failed_5xx';
  return statusCode >= 400 ? 'failed_4xx' : 'failed_other';
}
