import type { Judgement, Receipt } from './delivery-kind.js';
import type { Verdict } from './outcome.js';
import { nextDelayMs } from './schedule.js';

const GONE = 410;
/** Temporary refusals are retried soon so that they do not block an ordered lane for long. */
const SOON_MS = 5_000;

/** A failed attempt. */
export interface FailedAttempt {
  readonly judgement: Judgement;
  readonly refusal: Receipt['refusal'];
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
  const { judgement, refusal, status, finishedAt } = attempt;
  if (judgement === 'final' || refusal === 'final') return { status: 'failed', reason: 'refused' };
  if (status === GONE && judgement === 'schedule') return { status: 'failed', reason: 'gone' };
  const delayMs = delayOf(attempt);
  if (delayMs === undefined) return { status: 'failed', reason: 'attempts_exhausted' };
  return { status: 'retrying', dueAt: finishedAt + delayMs };
}

function delayOf({ judgement, refusal, scheduleMs, step, retryAfterMs }: FailedAttempt): number | undefined {
  if (refusal === 'soon') {
    const delayMs = nextDelayMs(scheduleMs, step, undefined) ?? lastDelayMs(scheduleMs, undefined);
    return Math.min(SOON_MS, delayMs);
  }
  const delayMs = nextDelayMs(scheduleMs, step, retryAfterMs);
  return delayMs ?? (judgement === 'endless' ? lastDelayMs(scheduleMs, retryAfterMs) : undefined);
}

function lastDelayMs(scheduleMs: readonly number[], retryAfterMs: number | undefined): number {
  if (scheduleMs.length < 2) return SOON_MS;
  return nextDelayMs(scheduleMs, scheduleMs.length - 2, retryAfterMs) ?? SOON_MS;
}
