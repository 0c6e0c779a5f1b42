import type { DeliveryFacts } from '../../delivery/dispatch/dispatch.events.js';
import type { OutboundErrorClass } from '../../delivery/outbound/outbound-failure.js';

/** The upper bounds of all latency buckets except the last, which is unbounded. */
export const LATENCY_BOUNDS_MS: readonly number[] = Array.from({ length: 15 }, (_, index) => 4 * 2 ** index);
export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1;

export function latencyBucket(ms: number): number {
  const bucket = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return bucket < 0 ? LATENCY_BOUNDS_MS.length : bucket;
}

/** The latency quantile for `share`, as precise as the buckets allow; null if there are no counts. */
export function latencyQuantile(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [bucket, count] of buckets.entries()) {
    if (count > 0 && below + count >= share * total) {
      const lower = LATENCY_BOUNDS_MS[bucket - 1] ?? 0;
      const upper = LATENCY_BOUNDS_MS[bucket] ?? lower;
      return Math.round(lower + (upper - lower) * ((share * total - below) / count));
    }
    below += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}

/** Outcomes of attempts, and deliveries that were given up. Also column names of the table. */
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

export const COUNT_COLUMNS: readonly string[] = [
  ...OUTCOMES,
  ...Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => `latency_${bucket}`),
];

/** One number for each of COUNT_COLUMNS. */
export type Counts = readonly number[];

const NO_CONNECTION: ReadonlySet<string> = new Set<OutboundErrorClass>([
  'refused_address',
  'dns',
  'connect',
  'tls',
  'reset',
]);

export function noCounts(): number[] {
  return new Array<number>(COUNT_COLUMNS.length).fill(0);
}

export function addCounts(to: number[], counts: Counts): void {
  for (const [column, count] of counts.entries()) to[column] = (to[column] ?? 0) + count;
}

export function countOf(counts: Counts, outcome: CountedOutcome): number {
  return counts[OUTCOMES.indexOf(outcome)] ?? 0;
}

export function attemptsOf(counts: Counts): number {
  return OUTCOMES.reduce((sum, name) => (name === 'given_up' ? sum : sum + countOf(counts, name)), 0);
}

/** The columns to increment for an attempt: its outcome and, if there was a response, its latency bucket. */
export function columnsOf(outcome: CountedOutcome, { errorClass, durationMs }: DeliveryFacts): number[] {
  const column = OUTCOMES.indexOf(outcome);
  return errorClass === '' ? [column, OUTCOMES.length + latencyBucket(durationMs)] : [column];
}

export function failureOf({ statusCode, errorClass }: DeliveryFacts): CountedOutcome {
  if (errorClass === 'timeout') return 'failed_timeout';
  if (NO_CONNECTION.has(errorClass)) return 'failed_connection';
  if (errorClass !== '') return 'failed_other';
  if (statusCode >= 500) return 'failed_5xx';
  return statusCode >= 400 ? 'failed_4xx' : 'failed_other';
}

const DAY_MS = 86_400_000;

/** Span lengths and their retention: the longest range that uses the span, plus one step. */
export const STEPS = [
  { rows: 'statistics of deliveries by five minutes', seconds: 300, keptMs: 2 * DAY_MS },
  { rows: 'statistics of deliveries by the hour', seconds: 3_600, keptMs: 31 * DAY_MS },
] as const;

/** The subject that stands for all webhooks. */
export const ALL = '';

export const MAX_CHARTED_HOOKS = 100;

/** The supported ranges. A point covers one or more stored spans. */
export const RANGES = {
  '1h': { storedSeconds: 300, stepSeconds: 300, points: 12 },
  '24h': { storedSeconds: 300, stepSeconds: 300, points: 288 },
  '7d': { storedSeconds: 3_600, stepSeconds: 3_600, points: 168 },
  '30d': { storedSeconds: 3_600, stepSeconds: 10_800, points: 240 },
} as const;
export type StatsRange = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as StatsRange[];
export const MAX_POINTS = Math.max(...RANGE_NAMES.map((range) => RANGES[range].points));

/** Ranges of the small charts in lists. Points cover whole hours so that one query serves many webhooks. */
export const OUTCOME_RANGES = {
  '24h': { storedSeconds: 3_600, stepSeconds: 3_600, points: 24 },
  '7d': { storedSeconds: 3_600, stepSeconds: 21_600, points: 28 },
} as const;
export type OutcomeRange = keyof typeof OUTCOME_RANGES;
export const OUTCOME_RANGE_NAMES = Object.keys(OUTCOME_RANGES) as OutcomeRange[];
export const MAX_OUTCOME_POINTS = Math.max(
  ...OUTCOME_RANGE_NAMES.map((range) => OUTCOME_RANGES[range].points),
);

/** The start (inclusive) and end (exclusive) of a range's points; the last point is still in progress. */
export function spanUpTo(
  now: number,
  { stepSeconds, points }: { readonly stepSeconds: number; readonly points: number },
): { readonly from: number; readonly before: number } {
  const stepMs = stepSeconds * 1_000;
  const before = (Math.floor(now / stepMs) + 1) * stepMs;
  return { from: before - points * stepMs, before };
}
