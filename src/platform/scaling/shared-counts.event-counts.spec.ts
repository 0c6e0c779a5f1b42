import { EventCounts } from './shared-counts.js';

const allowance = { max: 2, windowMs: 100 };

describe('EventCounts', () => {
  it('allows a number of events in a window that starts with the first', () => {
    const counts = new EventCounts();
    expect(counts.waitMs('a', allowance, 0)).toBe(0);
    expect(counts.note('a', allowance.windowMs, 10)).toBe(1);
    expect(counts.waitMs('a', allowance, 50)).toBe(0);
    expect(counts.note('a', allowance.windowMs, 60)).toBe(2);
    expect(counts.waitMs('a', allowance, 60)).toBe(50);
    expect(counts.waitMs('b', allowance, 60)).toBe(0);
    expect(counts.waitMs('a', allowance, 110)).toBe(0);
    expect(counts.note('a', allowance.windowMs, 110)).toBe(1);
  });

  it('forgets keys on request', () => {
    const counts = new EventCounts();
    for (const now of [0, 1, 2]) counts.note('a', allowance.windowMs, now);
    counts.clear('a');
    expect(counts.waitMs('a', allowance, 3)).toBe(0);
  });

  it('keeps a limited number of keys, the newest', () => {
    const counts = new EventCounts(2);
    for (const key of ['a', 'a', 'b', 'b', 'c', 'c']) counts.note(key, allowance.windowMs, 0);
    expect(['a', 'b', 'c'].map((key) => counts.waitMs(key, allowance, 0))).toEqual([0, 100, 100]);
  });
});
