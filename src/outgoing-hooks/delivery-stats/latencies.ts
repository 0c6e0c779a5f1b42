/** The upper bounds of all buckets of latencies but the last, which has none. */
export const LATENCY_BOUNDS_MS: readonly number[] = Array.from({ length: 15 }, (_, index) => 4 * 2 ** index);
export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1;

/** The bucket of a latency. */
export function latencyBucket(ms: number): number {
  const bucket = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return bucket < 0 ? LATENCY_BOUNDS_MS.length : bucket;
}

/**
 * The latency that this share of all does not exceed, as exactly as the buckets tell; null if there are none. Of the last
 * bucket only its lower bound is known.
 */
export function latencyQuantile(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [bucket, count] of buckets.entries()) {
    if (count > 0 && below + count >= share * total) {
      const lower = LATENCY_BOUNDS_MS[bucket - 1] ?? 0;
      const upper = LATENCY_BOUNDS_MS[bucket] ?? lower;
      return Math.round(lower + (upper - lower) * ((share * total - below) / count));
    }
    below += count;
  }
  return LATENCY_BOUNDS_MS.at(-1) ?? null;
}
