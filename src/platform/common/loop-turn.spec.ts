import { loopTurn } from './loop-turn.js';

const heavy = { isHeavy: true };
const light = { isHeavy: false };

let now = 0;
/** Advances the clock within this iteration of the event loop. */
const spend = (ms: number): void => void (now += ms);

function isLongFor(claimant: { isHeavy: boolean }): boolean {
  let isLong = false;
  loopTurn.claim(claimant, () => (isLong = loopTurn.isLong));
  loopTurn.release();
  return isLong;
}

describe('a turn of the event loop', () => {
  beforeEach(async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    await new Promise(setImmediate);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is long for heavy callers and the background before it is for others', () => {
    expect(loopTurn.isLong).toBe(false); // the clock starts with the first check
    spend(4);
    expect(loopTurn.isLongInBackground).toBe(true);
    expect(isLongFor(heavy)).toBe(true);
    expect(isLongFor(light)).toBe(false);
    expect(loopTurn.isLong).toBe(false);
    spend(9);
    expect([isLongFor(light), loopTurn.isLong]).toEqual([true, true]);
  });

  it('is for nobody once all claims are released', async () => {
    let isLong: boolean | undefined;
    loopTurn.claim(heavy, () => void Promise.resolve().then(() => (isLong = loopTurn.isLong)));
    expect(loopTurn.isLong).toBe(false);
    spend(4);
    loopTurn.release();
    await Promise.resolve();
    expect(isLong).toBe(false);
  });

  it('takes of those who wait only as many as it has time for, in their order', async () => {
    const turns: string[] = [];
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const names = ['a', 'b', 'c'];
    await Promise.all(
      names.map(async (name) => {
        await loopTurn.next();
        spend(13);
        turns.push(`${name}${turn}`);
      }),
    );
    isOver = true;
    expect(turns.map((each) => each[0])).toEqual(names);
    expect(new Set(turns.map((each) => each.slice(1))).size).toBe(names.length);
  });

  it('comes to everybody, however long others take and however often they ask', async () => {
    const order: string[] = [];
    const work = async (name: string, times: number): Promise<void> => {
      for (let n = 0; n < times; n++) {
        await loopTurn.next();
        spend(13);
        order.push(name);
      }
    };
    await Promise.all([work('a', 5), work('b', 5), work('c', 1)]);
    expect(order.indexOf('c')).toBeLessThanOrEqual(2);
  });

  describe('between the short steps of a long work', () => {
    const restOf = (claimant: { isHeavy: boolean }): Promise<void> => {
      let rest: Promise<void> | undefined;
      loopTurn.claim(claimant, () => {
        const startedAt = performance.now();
        spend(20);
        rest = loopTurn.rest(startedAt);
      });
      loopTurn.release();
      return rest ?? Promise.reject(new Error('It has not run.'));
    };

    afterEach(() => jest.useRealTimers());

    it('passes as much time for heavy callers as the step took', async () => {
      jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
      let isOver = false;
      void restOf(heavy).then(() => (isOver = true));
      await jest.advanceTimersByTimeAsync(19);
      expect(isOver).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(isOver).toBe(true);
    });

    it('passes none for others', async () => {
      jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate'] });
      await restOf(light);
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  it('is no shorter for what all wait for, whoever has begun it', () => {
    loopTurn.claim(heavy, () => {
      expect(loopTurn.isLong).toBe(false);
      spend(4);
      expect(loopTurn.isLong).toBe(true);
      expect(loopTurn.runForAll(() => loopTurn.isLong)).toBe(false);
    });
    loopTurn.release();
  });
});
