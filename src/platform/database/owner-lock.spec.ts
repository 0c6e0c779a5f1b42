import { judgeLock } from './owner-lock.js';

describe('judgeLock', () => {
  const isOurs = (threadId: number): boolean => threadId === 7;

  it.each([
    [1, 9, 'taken'],
    [0, 8, 'stranger'],
    [null, 8, 'stranger'],
    [0, 7, 'ghost'],
    [0, null, 'free'],
    [null, null, 'free'],
  ] as const)('says of an answer of %p while %p has it: %s', (taken, owner, verdict) => {
    expect(judgeLock({ taken, owner }, isOurs)).toBe(verdict);
  });
});
