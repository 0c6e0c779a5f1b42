import type { RetryPolicy, Receipt } from './delivery-kind.js';
import type { Delivery, DeliveryAttempt, OpenStatus } from './delivery.entity.js';
import type { Turn } from './turns/lane-turns.js';

/** Why the receiver of a delivery, whether it accepted it or not, gets no more calls. */
export const DISABLED_BY_RECEIVER = 'disabled_by_receiver';
/** Why a delivery failed. `unprepared`: this server could not build the call. `expired`: nobody pulled it in time. */
export const FAILURE_REASONS = [
  'gone',
  DISABLED_BY_RECEIVER,
  'attempts_exhausted',
  'refused',
  'unprepared',
  'expired',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** The effect of an attempt on its delivery. */
export type Verdict =
  | { readonly status: 'delivered'; readonly reason?: typeof DISABLED_BY_RECEIVER }
  | { readonly status: 'failed'; readonly reason: FailureReason }
  | { readonly status: 'retrying'; readonly dueAt: number }
  | { readonly status: 'cancelled'; readonly reason: string };

/** A verdict to store, with the attempt that led to it; cancellations have none. */
export interface Outcome {
  readonly delivery: Delivery;
  /** The turn in which the call was made. */
  readonly turn: Turn;
  readonly verdict: Verdict;
  readonly attempt: DeliveryAttempt | undefined;
  readonly finishedAt: number;
  /** A retry need not wait for its time if the process restarts: its receiver reports when it is back. */
  readonly isEndless?: boolean;
}

/** When an open delivery is due again, and its status until then. */
export interface NextAttempt {
  readonly status: OpenStatus;
  readonly dueAt: number;
}

const GONE = 410;
/** Temporary refusals are retried soon so that they do not block an ordered lane for long. */
const SOON_MS = 5_000;

/** A failed attempt. */
export interface FailedAttempt {
  readonly policy: RetryPolicy;
  readonly refusal: Receipt['refusal'];
  readonly isDisabled: boolean;
  /** 0 if there was no complete reply. */
  readonly status: number;
  readonly scheduleMs: readonly number[];
  /** The position in the schedule. */
  readonly step: number;
  readonly retryAfterMs: number | undefined;
  readonly finishedAt: number;
}

/** The attempt is retried, or its delivery has failed. */
export type FailureVerdict = Extract<Verdict, { status: 'failed' } | { status: 'retrying' }>;

/** Decides whether and when to retry a delivery after a failed attempt. */
export function failureVerdict(attempt: FailedAttempt): FailureVerdict {
  const { policy, refusal, isDisabled, status, finishedAt } = attempt;
  if (isDisabled) return { status: 'failed', reason: DISABLED_BY_RECEIVER };
  if (policy === 'final' || refusal === 'final') return { status: 'failed', reason: 'refused' };
  if (status === GONE && policy === 'schedule') return { status: 'failed', reason: 'gone' };
  const delayMs = delayOf(attempt);
  if (delayMs === undefined) return { status: 'failed', reason: 'attempts_exhausted' };
  return { status: 'retrying', dueAt: finishedAt + delayMs };
}

function delayOf({ policy, refusal, scheduleMs, step, retryAfterMs }: FailedAttempt): number | undefined {
  if (refusal === 'soon') {
    const delayMs = nextDelayMs(scheduleMs, step, undefined) ?? lastDelayMs(scheduleMs, undefined);
    return Math.min(SOON_MS, delayMs);
  }
  const delayMs = nextDelayMs(scheduleMs, step, retryAfterMs);
  return delayMs ?? (policy === 'endless' ? lastDelayMs(scheduleMs, retryAfterMs) : undefined);
}

function lastDelayMs(scheduleMs: readonly number[], retryAfterMs: number | undefined): number {
  if (scheduleMs.length < 2) return SOON_MS;
  return nextDelayMs(scheduleMs, scheduleMs.length - 2, retryAfterMs) ?? SOON_MS;
}

const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * The delay after attempt `step` of the schedule has failed; undefined at the end of the schedule. A
 * receiver's `Retry-After` is a minimum (RFC 9110 section 10.2.3), up to 24 hours: it never shortens a delay,
 * since the schedule could then end before the receiver recovers. Delays vary by 20 % so that deliveries that
 * failed together are not retried together.
 */
export function nextDelayMs(
  scheduleMs: readonly number[],
  step: number,
  retryAfterMs = 0,
  random: () => number = Math.random,
): number | undefined {
  const delayMs = scheduleMs[step + 1];
  if (delayMs === undefined) return undefined;
  const variedMs = Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()));
  return Math.max(variedMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** Parses `Retry-After` (RFC 9110 section 10.2.3: seconds or a date) as a delay; undefined if malformed. */
export function parseRetryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,20}$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
