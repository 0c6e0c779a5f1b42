const STEPS_PER_MS = 2048;
/** Explicit times count from the middle of a millisecond, so that they do not collide with `nextSequence`. */
const HALF = STEPS_PER_MS / 2;
const MAX_REMEMBERED = 1_000;
let last = 0;
/** The last number of `sequenceAt` by millisecond, for recently used ones. */
const lastByMs = new Map<number, number>();

/**
 * A strictly increasing number, milliseconds × 2048 + counter: the order of posts
 * (docs/decisions/0009-order-by-sequence.md). Stays below 2^53 until the year 2109.
 */
export function nextSequence(nowMs: number): number {
  last = Math.max(last + 1, nowMs * STEPS_PER_MS);
  return last;
}

/** Called once at the start: later numbers are greater than `sequence`, which an earlier process assigned. */
export function startSequence(sequence: number): void {
  last = sequence;
}

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
 * A sequence number for an explicit time. Later calls for the same millisecond get higher numbers, if necessary in the
 * next millisecond.
 */
export function sequenceAt(ms: number): number {
  const sequence = (lastByMs.get(ms) ?? ms * STEPS_PER_MS + HALF - 1) + 1;
  lastByMs.delete(ms); // keeps the map in order of last use
  lastByMs.set(ms, sequence);
  const [oldest = ms] = lastByMs.keys();
  if (lastByMs.size > MAX_REMEMBERED) lastByMs.delete(oldest);
  return sequence;
}
