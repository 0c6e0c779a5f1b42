import { loopTurn } from './loop-turn.js';

const heavy = { isHeavy: true };
const light = { isHeavy: false };

/** Keeps the event loop busy. */
function spend(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

describe('a turn of the event loop', () => {
  beforeEach(() => new Promise(setImmediate));

  it('is long for heavy callers and the background before it is for others', () => {
    expect(loopTurn.isLong).toBe(false); // its clock starts with the first question
    spend(4);
    expect(loopTurn.isLong).toBe(true);
    loopTurn.runFor(heavy, () => expect(loopTurn.isLong).toBe(true));
    loopTurn.runFor(light, () => expect(loopTurn.isLong).toBe(false));
    spend(9);
    loopTurn.runFor(light, () => expect(loopTurn.isLong).toBe(true));
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
        spend(4);
        turns.push(`${name}${turn}`);
      }),
    );
    isOver = true;
    expect(turns.map((each) => each[0])).toEqual(names);
    expect(new Set(turns.map((each) => each.slice(1))).size).toBe(names.length);
  });

  it('is no shorter for what all wait for, whoever has begun it', () => {
    loopTurn.runFor(heavy, () => {
      expect(loopTurn.isLong).toBe(false);
      spend(4);
      expect(loopTurn.isLong).toBe(true);
      expect(loopTurn.runForAll(() => loopTurn.isLong)).toBe(false);
    });
  });
});
