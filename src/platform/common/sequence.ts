const STEPS_PER_MS = 2048;
/** How many processes can share the numbers of a millisecond. */
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
 * (docs/decisions/0009-order-by-sequence.md). They stay below 2^53 until the year 2109. A process that serves the database
 * with others has 16 numbers of each millisecond for itself, by its slot; one that is alone has all.
 */
export class Sequence {
  private readonly first: number;
  private readonly width: number;
  private last = 0;
  /** The last number of `at` by millisecond, for recently used ones. */
  private readonly lastByMs = new Map<number, number>();

  constructor(slot?: number) {
    this.first = (slot ?? 0) * STEPS_PER_SLOT;
    this.width = slot === undefined ? STEPS_PER_MS : STEPS_PER_SLOT;
  }

  /** The next number, of this millisecond unless all of it are used. */
  next(nowMs: number): number {
    return (this.last = this.following(this.last, nowMs));
  }

  /** Later numbers of `next` are greater than `sequence`, which another process assigned. */
  startAfter(sequence: number): void {
    this.last = Math.max(this.last, sequence);
  }

  /**
   * A number for an explicit time, in the upper half of those of the millisecond, so that it does not collide with `next`.
   * Later calls for the same millisecond get higher numbers, if necessary in the next millisecond.
   */
  at(ms: number): number {
    const middle = sequenceFrom(ms) + this.first + this.width / 2;
    const sequence = this.following(this.lastByMs.get(ms) ?? middle - 1, ms);
    this.lastByMs.delete(ms); // keeps the map in order of last use
    this.lastByMs.set(ms, sequence);
    const [oldest = ms] = this.lastByMs.keys();
    if (this.lastByMs.size > MAX_REMEMBERED) this.lastByMs.delete(oldest);
    return sequence;
  }

  /** The lowest number of this process after `sequence`, and not before `ms`. */
  private following(sequence: number, ms: number): number {
    const least = sequence + 1;
    const first = sequenceFrom(Math.max(ms, timeOfSequence(least))) + this.first;
    if (least <= first) return first;
    return least < first + this.width ? least : first + STEPS_PER_MS;
  }
}
