const STEPS_PER_MS = 2048;
let last = 0;
let historic = 0;

/**
 * A strictly rising number, milliseconds × 2048 + counter: the order of posts (design section 3).
 * Stays below 2^53 until the year 2109.
 */
export function nextSequence(nowMs: number): number {
  last = Math.max(last + 1, nowMs * STEPS_PER_MS);
  return last;
}

/** A place in the order for something that is dated back or forth by hand. */
export function sequenceAt(ms: number): number {
  historic = (historic + 1) % STEPS_PER_MS;
  return ms * STEPS_PER_MS + historic;
}
