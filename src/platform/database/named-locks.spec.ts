import { lockHolder } from './named-locks.js';

describe('lockHolder', () => {
  const isOurs = (threadId: number): boolean => threadId === 7;

  it.each([
    [1, 9, 'self'],
    [0, 8, 'other'],
    [0, 7, 'stale'],
    [0, null, 'nobody'],
  ] as const)('for GET_LOCK %p and owner %p: %s', (taken, owner, holder) => {
    expect(lockHolder({ taken, owner }, isOurs)).toBe(holder);
  });
});
