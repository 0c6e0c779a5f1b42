import { DatabaseClock } from './database-clock.js';

describe('DatabaseClock', () => {
  let elapsed = 0;
  let clock: DatabaseClock;
  beforeEach(() => {
    elapsed = 5_000;
    clock = new DatabaseClock(() => elapsed);
  });

  /** Reads a database clock that is `ahead` of the process, with these delays there and back. */
  const follow = (ahead: number, thereMs: number, backMs: number): Promise<void> =>
    clock.follow(async () => {
      elapsed += thereMs;
      const answer = Math.floor(elapsed + ahead);
      elapsed += backMs;
      return answer;
    });
  const error = (ahead: number): number => Math.abs(clock.now() - (elapsed + ahead));

  it('takes the middle of the first round trip', async () => {
    await follow(1_000_000, 10, 10);
    expect(error(1_000_000)).toBeLessThanOrEqual(1);
  });

  it('ignores slow answers, even asymmetric ones, and uses quick ones', async () => {
    await follow(1_000_000, 1, 1);
    for (const [there, back] of [
      [900, 5],
      [5, 1_900],
      [300, 0],
    ] as const) {
      await follow(1_000_000, there, back);
      expect(error(1_000_000)).toBeLessThanOrEqual(2);
    }
    await follow(1_000_000, 800, 0);
    await follow(1_000_000, 0, 1);
    expect(error(1_000_000)).toBeLessThanOrEqual(2);
  });

  it('agrees with the clock of a process on a machine with another time', async () => {
    await follow(1_000_000, 3, 1);
    const other = new DatabaseClock(() => elapsed + 2_000);
    await other.follow(async () => elapsed + 1_000_000);
    expect(Math.abs(other.now() - clock.now())).toBeLessThanOrEqual(3);
  });

  it('stops instead of going back a little', async () => {
    await follow(1_000, 0, 0);
    const before = clock.now();
    await follow(900, 0, 0);
    expect(clock.now()).toBe(before);
    elapsed += 150;
    expect(clock.now()).toBeGreaterThan(before);
    expect(error(900)).toBeLessThanOrEqual(1);
  });

  it('follows a database clock that was set back far', async () => {
    await follow(1_000_000, 0, 0);
    clock.now();
    await follow(10_000, 0, 0);
    expect(error(10_000)).toBeLessThanOrEqual(1);
  });
});
