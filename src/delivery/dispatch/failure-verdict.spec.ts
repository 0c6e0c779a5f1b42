import { type FailedAttempt, failureVerdict } from './failure-verdict.js';

const MINUTE = 60_000;
const attempt: FailedAttempt = {
  judgement: 'schedule',
  refusal: undefined,
  status: 500,
  scheduleMs: [0, 5_000, 5 * MINUTE],
  step: 0,
  retryAfterMs: undefined,
  finishedAt: 0,
};
const delayOf = (change: Partial<FailedAttempt>): number => {
  const verdict = failureVerdict({ ...attempt, ...change });
  if (verdict.status !== 'retrying') throw new Error(verdict.status);
  return verdict.dueAt;
};

describe('what becomes of a delivery whose attempt failed', () => {
  it('follows the schedule, and Retry-After', () => {
    expect(delayOf({})).toBeGreaterThanOrEqual(4_000);
    expect(delayOf({ step: 1 })).toBeGreaterThanOrEqual(4 * MINUTE);
    expect(delayOf({ retryAfterMs: 7_000 })).toBe(7_000);
    expect(delayOf({ step: 1, retryAfterMs: 7_000 })).toBeGreaterThanOrEqual(4 * MINUTE);
    expect(failureVerdict({ ...attempt, step: 2 })).toEqual({
      status: 'failed',
      reason: 'attempts_exhausted',
    });
  });

  it('goes on at the pace of its end when it is endless', () => {
    expect(delayOf({ step: 2, judgement: 'endless' })).toBeGreaterThanOrEqual(4 * MINUTE);
    expect(delayOf({ step: 900, judgement: 'endless', scheduleMs: [0] })).toBe(5_000);
    expect(delayOf({ step: 900, judgement: 'endless', scheduleMs: [0, MINUTE] })).toBeGreaterThanOrEqual(
      48_000,
    );
  });

  it('is soon after a refusal that may pass, whatever the schedule and the receiver say', () => {
    for (const step of [1, 2, 900])
      expect(delayOf({ step, judgement: 'endless', refusal: 'soon', retryAfterMs: MINUTE })).toBe(5_000);
    expect(delayOf({ refusal: 'soon', scheduleMs: [0, 100] })).toBeLessThanOrEqual(120);
  });

  it('ends with 410, unless the module knows better', () => {
    expect(failureVerdict({ ...attempt, status: 410 })).toEqual({ status: 'failed', reason: 'gone' });
    expect(failureVerdict({ ...attempt, status: 410, judgement: 'endless' }).status).toBe('retrying');
    for (const last of [{ judgement: 'final' }, { refusal: 'final' }] as const)
      expect(failureVerdict({ ...attempt, ...last })).toEqual({ status: 'failed', reason: 'refused' });
  });
});
