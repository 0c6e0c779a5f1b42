const STEPS_PER_MS = 2048;
/** The number of processes that can share the numbers of a millisecond. */
export const SLOTS = 128;
const STEPS_PER_SLOT = STEPS_PER_MS / SLOTS;
const MAX_REMEMBERED = 1_000;

/** The lowest sequence number of a millisecond; everything older is below it. */
export function sequenceFrom(ms: number): number {
  return ms * STEPS_PER_MS;
}

/** The latest millisecond whose sequence numbers a double can hold exactly. */
export const MAX_SEQUENCE_MS = Math.floor(Number.MAX_SAFE_INTEGER / STEPS_PER_MS) - 1;

/** The millisecond of a sequence number. For increasing numbers it never decreases, even if the clock does. */
export function timeOfSequence(sequence: number): number {
  return Math.floor(sequence / STEPS_PER_MS);
}

/**
 * Strictly increasing numbers, milliseconds × 2048 + counter: the order of posts
 * (docs/decisions/0009-order-by-sequence.md). They stay below 2^53 until the year 2109. If several processes
 * share the database, each has 16 numbers per millisecond, by its slot; a single process has all.
 */
export class Sequence {
  private readonly first: number;
  private readonly width: number;
  private last = 0;
  /** The last number returned by `at` for recently used milliseconds. */
  private readonly lastByMs = new Map<number, number>();

  constructor(slot?: number) {
    this.first = (slot ?? 0) * STEPS_PER_SLOT;
    this.width = slot === undefined ? STEPS_PER_MS : STEPS_PER_SLOT;
  }

  /** The next number, from this millisecond unless its numbers are used up. */
  next(nowMs: number): number {
    return (this.last = this.following(this.last, nowMs));
  }

  /** Makes later results of `next` exceed `sequence`, which another process assigned. */
  startAfter(sequence: number): void {
    this.last = Math.max(this.last, sequence);
  }

  /** A number for an explicit time; repeated calls return higher ones. It never collides with one of `next`. */
  at(ms: number): number {
    const middle = sequenceFrom(ms) + this.first + this.width / 2;
    const sequence = this.following(this.lastByMs.get(ms) ?? middle - 1, ms);
    this.lastByMs.delete(ms); // keeps the map in order of last use
    this.lastByMs.set(ms, sequence);
    const [oldest = ms] = this.lastByMs.keys();
    if (this.lastByMs.size > MAX_REMEMBERED) this.lastByMs.delete(oldest);
    return sequence;
  }

  private following(sequence: number, ms: number): number {
    const least = sequence + 1;
    const first = sequenceFrom(Math.max(ms, timeOfSequence(least))) + this.first;
    if (least <= first) return first;
    return least < first + this.width ? least : first + STEPS_PER_MS;
  }
}
