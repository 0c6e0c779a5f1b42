import {
  MAX_SEQUENCE_MS,
  nextSequence,
  sequenceAt,
  sequenceFrom,
  startSequence,
  timeOfSequence,
} from './sequence.js';

// Other specs count on.
afterAll(() => startSequence(0));

describe('the order of what happens now', () => {
  it('rises by one within a millisecond, and when the clock is set back', () => {
    startSequence(0);
    const times = [5, 5, 5, 4, 6, 6];
    expect(times.map(nextSequence)).toEqual([10_240, 10_241, 10_242, 10_243, 12_288, 12_289]);
  });

  it('goes on behind what an earlier process assigned', () => {
    startSequence(1_000_000);
    expect([nextSequence(5), nextSequence(500)]).toEqual([1_000_001, 1_024_000]);
  });

  it('tells its millisecond', () => {
    expect([sequenceFrom(7), sequenceFrom(8) - 1].map(timeOfSequence)).toEqual([7, 7]);
    expect([sequenceFrom(0), sequenceFrom(7)]).toEqual([0, 14_336]);
  });

  it('is exact to the end of the last millisecond, and of the next one', () => {
    expect(sequenceFrom(MAX_SEQUENCE_MS + 2)).toBe(Number.MAX_SAFE_INTEGER + 1);
  });
});

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

  it('begins in the middle of the millisecond, and anew when a thousand others were used since', () => {
    const [first, others] = [1_400_000_000_000, 1_500_000_000_000];
    const use = (count: number): void => {
      for (let index = 0; index < count; index++) sequenceAt(others + index);
    };
    const middle = sequenceFrom(first) + 1_024;
    expect([sequenceAt(first), sequenceAt(first)]).toEqual([middle, middle + 1]);
    use(999);
    expect(sequenceAt(first)).toBe(middle + 2);
    use(1_000);
    expect(sequenceAt(first)).toBe(middle);
  });
});
