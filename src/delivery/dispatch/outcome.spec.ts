import { type FailedAttempt, failureVerdict, nextDelayMs, parseRetryAfterMs } from './outcome.js';

const MINUTE = 60_000;
const attempt: FailedAttempt = {
  policy: 'schedule',
  refusal: undefined,
  isDisabled: false,
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

describe('the verdict on a failed attempt', () => {
  it('follows the schedule and Retry-After', () => {
    expect(delayOf({})).toBeGreaterThanOrEqual(4_000);
    expect(delayOf({ step: 1 })).toBeGreaterThanOrEqual(4 * MINUTE);
    expect(delayOf({ retryAfterMs: 7_000 })).toBe(7_000);
    expect(delayOf({ step: 1, retryAfterMs: 7_000 })).toBeGreaterThanOrEqual(4 * MINUTE);
    expect(failureVerdict({ ...attempt, step: 2 })).toEqual({
      status: 'failed',
      reason: 'attempts_exhausted',
    });
  });

  it('continues at the last interval of an endless schedule', () => {
    expect(delayOf({ step: 2, policy: 'endless' })).toBeGreaterThanOrEqual(4 * MINUTE);
    expect(delayOf({ step: 900, policy: 'endless', scheduleMs: [0] })).toBe(5_000);
    expect(delayOf({ step: 900, policy: 'endless', scheduleMs: [0, MINUTE] })).toBeGreaterThanOrEqual(48_000);
  });

  it('retries soon after a temporary refusal, regardless of the schedule and the receiver', () => {
    for (const step of [1, 2, 900])
      expect(delayOf({ step, policy: 'endless', refusal: 'soon', retryAfterMs: MINUTE })).toBe(5_000);
    expect(delayOf({ refusal: 'soon', scheduleMs: [0, 100] })).toBeLessThanOrEqual(120);
  });

  it('ends when the receiver wants no more calls', () => {
    const failed = { status: 'failed', reason: 'disabled_by_receiver' };
    for (const status of [0, 410, 500])
      expect(failureVerdict({ ...attempt, status, isDisabled: true })).toEqual(failed);
  });

  it('ends with 410, unless the module overrides it', () => {
    expect(failureVerdict({ ...attempt, status: 410 })).toEqual({ status: 'failed', reason: 'gone' });
    expect(failureVerdict({ ...attempt, status: 410, policy: 'endless' }).status).toBe('retrying');
    for (const last of [{ policy: 'final' }, { refusal: 'final' }] as const)
      expect(failureVerdict({ ...attempt, ...last })).toEqual({ status: 'failed', reason: 'refused' });
  });
});

const SCHEDULE = [0, 5_000, 300_000];
const middle = (): number => 0.5;

describe('nextDelayMs', () => {
  it('follows the schedule to its end', () => {
    expect(nextDelayMs(SCHEDULE, 0, undefined, middle)).toBe(5_000);
    expect(nextDelayMs(SCHEDULE, 1, undefined, middle)).toBe(300_000);
    expect(nextDelayMs(SCHEDULE, 2, undefined, middle)).toBeUndefined();
  });

  it('varies by 20 %', () => {
    expect(nextDelayMs(SCHEDULE, 0, undefined, () => 0)).toBe(4_000);
    expect(nextDelayMs(SCHEDULE, 0, undefined, () => 1)).toBe(6_000);
  });

  it('respects Retry-After within bounds, and never exceeds the end', () => {
    expect(nextDelayMs(SCHEDULE, 0, 7_000, middle)).toBe(7_000);
    expect(nextDelayMs(SCHEDULE, 0, 0, middle)).toBe(5_000);
    expect(nextDelayMs(SCHEDULE, 1, 7_000, middle)).toBe(300_000);
    expect(nextDelayMs(SCHEDULE, 0, 10 ** 12, middle)).toBe(86_400_000);
    expect(nextDelayMs(SCHEDULE, 2, 7_000, middle)).toBeUndefined();
  });
});

describe('parseRetryAfterMs', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Wed, 21 Oct 2026 07:29:00 GMT', 60_000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999', 99_999_999_999_000],
    ['999999999999999999999', undefined],
    ['soon', undefined],
    ['x Wed, 21 Oct 2026 07:29:00 GMT', undefined],
    ['Wed, 21 Oct 2026 07:29:00 GMT+0100', undefined],
    ['2026-10-21', undefined],
    [undefined, undefined],
  ])('%j is %j', (value, expected) => expect(parseRetryAfterMs(value, now)).toBe(expected));
});
