const STEPS_PER_MS = 2048;
/** What is dated by hand begins in the middle, as what is counted now begins at the start: the two must not be equal. */
const HALF = STEPS_PER_MS / 2;
const MAX_REMEMBERED = 1_000;
let last = 0;
/** By millisecond, for those asked for lately: the last number given. */
const given = new Map<number, number>();

/**
 * A strictly rising number, milliseconds × 2048 + counter: the order of posts
 * (docs/decisions/0009-order-by-sequence.md). Stays below 2^53 until the year 2109.
 */
export function nextSequence(nowMs: number): number {
  last = Math.max(last + 1, nowMs * STEPS_PER_MS);
  return last;
}

/** What is given from now on comes after `sequence`, which an earlier process gave. */
export function continueSequence(sequence: number): void {
  last = Math.max(last, sequence);
}

/** The lowest sequence number of a millisecond: below it lies all that is older. */
export function sequenceFrom(ms: number): number {
  return ms * STEPS_PER_MS;
}

/** The latest millisecond whose sequence numbers a double can hold exactly. */
export const MAX_SEQUENCE_MS = Math.floor(Number.MAX_SAFE_INTEGER / STEPS_PER_MS) - 1;

/** The millisecond of a sequence number: it never goes back, whatever the clock does. */
export function timeOfSequence(sequence: number): number {
  return Math.floor(sequence / STEPS_PER_MS);
}

/**
 * A place in the order for something that is dated back or forth by hand: what comes later in one millisecond is behind,
 * if need be in the next one.
 */
export function sequenceAt(ms: number): number {
  const sequence = (given.get(ms) ?? ms * STEPS_PER_MS + HALF - 1) + 1;
  given.delete(ms); // and to the end: what was not asked for lately is forgotten first
  given.set(ms, sequence);
  const [oldest = ms] = given.keys();
  if (given.size > MAX_REMEMBERED) given.delete(oldest);
  return sequence;
}
