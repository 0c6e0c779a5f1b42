const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/** How long to wait before a worker is started again, after it has ended soon after its start so often in a row. */
export function restartDelayMs(failures: number): number {
  return failures <= 1 ? 0 : Math.min(FIRST_MS * 2 ** (failures - 2), MAX_MS);
}
