import { nextDelayMs, parseRetryAfterMs } from './schedule.js';

const SCHEDULE = [0, 5_000, 300_000];
const middle = (): number => 0.5;

describe('nextDelayMs', () => {
  it('follows the schedule to its end', () => {
    expect(nextDelayMs(SCHEDULE, 0, undefined, middle)).toBe(5_000);
    expect(nextDelayMs(SCHEDULE, 1, undefined, middle)).toBe(300_000);
    expect(nextDelayMs(SCHEDULE, 2, undefined, middle)).toBeUndefined();
  });

  it('varies by a fifth', () => {
    expect(nextDelayMs(SCHEDULE, 0, undefined, () => 0)).toBe(4_000);
    expect(nextDelayMs(SCHEDULE, 0, undefined, () => 1)).toBe(6_000);
  });

  it('waits no less than Retry-After asks for, within bounds, and never beyond the end', () => {
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
