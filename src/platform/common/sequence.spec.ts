import { MAX_SEQUENCE_MS, Sequence, sequenceFrom, SLOTS, timeOfSequence } from './sequence.js';

describe('the current sequence number', () => {
  it('rises by one within a millisecond, and when the clock is set back', () => {
    const sequence = new Sequence();
    const times = [5, 5, 5, 4, 6, 6];
    expect(times.map((ms) => sequence.next(ms))).toEqual([10_240, 10_241, 10_242, 10_243, 12_288, 12_289]);
  });

  it('continues after the highest number of an earlier process', () => {
    const sequence = new Sequence();
    for (const last of [1_000_000, 900_000]) sequence.startAfter(last);
    expect([sequence.next(5), sequence.next(500)]).toEqual([1_000_001, 1_024_000]);
  });

  it('encodes its millisecond', () => {
    expect([sequenceFrom(7), sequenceFrom(8) - 1].map(timeOfSequence)).toEqual([7, 7]);
    expect([sequenceFrom(0), sequenceFrom(7)]).toEqual([0, 14_336]);
  });

  it('is exact at the end of the last millisecond and of the next one', () => {
    expect(sequenceFrom(MAX_SEQUENCE_MS + 2)).toBe(Number.MAX_SAFE_INTEGER + 1);
  });
});

describe('a sequence number for an explicit time', () => {
  let numbers: Sequence;
  beforeEach(() => (numbers = new Sequence()));

  it('rises within a millisecond, no matter how many share it and what is requested in between', () => {
    for (const [round, base] of [1_700_000_000_000, 1_800_000_000_000].entries()) {
      const last = new Map<number, number>();
      for (let index = 0; index < 9_000; index++) {
        const ms = base + (round === 0 ? 0 : 10_000 * (index % 3));
        const sequence = numbers.at(ms);
        expect(sequence).toBeGreaterThan(last.get(ms) ?? 0);
        last.set(ms, sequence);
      }
    }
  });

  it('starts in the middle of the millisecond, and again after a thousand other times', () => {
    const [first, others] = [1_400_000_000_000, 1_500_000_000_000];
    const use = (count: number): void => {
      for (let index = 0; index < count; index++) numbers.at(others + index);
    };
    const middle = sequenceFrom(first) + 1_024;
    expect([numbers.at(first), numbers.at(first)]).toEqual([middle, middle + 1]);
    use(999);
    expect(numbers.at(first)).toBe(middle + 2);
    use(1_000);
    expect(numbers.at(first)).toBe(middle);
  });
});

describe('the numbers of processes that share a database', () => {
  it('are 16 per millisecond, then those of the next one', () => {
    const sequence = new Sequence(3);
    const numbers = Array.from({ length: 40 }, () => sequence.next(7));
    expect(numbers[0]).toBe(sequenceFrom(7) + 48);
    expect(numbers.filter((number) => timeOfSequence(number) === 7)).toHaveLength(16);
    expect(numbers[16]).toBe(sequenceFrom(8) + 48);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  it('never collide, regardless of their clocks and start values', () => {
    const slots = [0, 1, 2, SLOTS - 1];
    const processes = slots.map((slot) => new Sequence(slot));
    const seen = new Set<number>();
    for (let round = 0; round < 5_000; round++) {
      const [one, other] = [processes[round % 4], processes[(round * 7) % 3]] as [Sequence, Sequence];
      const number = one.next(1_000 + ((round * 31) % 97));
      expect(seen).not.toContain(number);
      seen.add(number);
      if (round % 5 === 0) other.startAfter(number);
    }
  });

  it('continue after a number of another process, in the same millisecond if there is room', () => {
    const [low, high] = [new Sequence(1), new Sequence(2)];
    const [before, after] = [low.next(9), high.next(9)];
    high.startAfter(before);
    low.startAfter(after);
    expect([high.next(9), low.next(9)]).toEqual([after + 1, sequenceFrom(10) + 16]);
  });

  it('reserve numbers for explicit times', () => {
    const sequence = new Sequence(SLOTS - 1);
    const numbers = Array.from({ length: 20 }, () => sequence.at(7));
    expect(new Set([...numbers, sequence.next(7)]).size).toBe(21);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });
});
