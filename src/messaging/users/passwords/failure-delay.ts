const FIRST_MS = 20;
const MAX_MS = 1_000;

/** How long the answer to the last of so many wrong passwords in a row is held back: each doubles it, up to a maximum. */
export function failureDelayMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** Math.max(0, failures - 1), MAX_MS);
}
