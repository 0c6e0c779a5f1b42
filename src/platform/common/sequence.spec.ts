import { nextSequence, sequenceAt } from './sequence.js';

describe('the order of what is dated by hand', () => {
  it('rises within a millisecond, however many share it and whatever is asked for between', () => {
    for (const [round, base] of [1_700_000_000_000, 1_800_000_000_000].entries()) {
      const last = new Map<number, number>();
      for (let index = 0; index < 9_000; index++) {
        const ms = base + (round === 0 ? 0 : 10_000 * (index % 3));
        const sequence = sequenceAt(ms);
        expect(sequence).toBeGreaterThan(last.get(ms) ?? 0);
        last.set(ms, sequence);
      }
    }
  });

  it('is that of the times', () => {
    const times = Array.from({ length: 3_000 }, (_, index) => 1_600_000_000_000 + index * 10);
    const sequences = times.map((ms) => sequenceAt(ms));
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(sequences.map((sequence) => Math.floor(sequence / 2048))).toEqual(times);
  });

  it('does not meet what is counted now', () => {
    const now = 1_900_000_000_000;
    expect(sequenceAt(now)).not.toBe(nextSequence(now));
  });
});
