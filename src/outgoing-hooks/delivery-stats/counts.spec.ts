import { LATENCY_BOUNDS_MS, LATENCY_BUCKETS, latencyBucket, latencyQuantile } from './counts.js';

const bucketsOf = (latencies: readonly number[]): number[] => {
  const buckets = new Array<number>(LATENCY_BUCKETS).fill(0);
  for (const ms of latencies) buckets[latencyBucket(ms)]! += 1;
  return buckets;
};

describe('latencies', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1],
    [8, 1],
    [9, 2],
    [65_536, 14],
    [65_537, 15],
    [600_000, 15],
  ])('of %i ms are in bucket %i', (ms, bucket) => {
    expect(latencyBucket(ms)).toBe(bucket);
  });

  it('have quantiles in the same bucket as the exact one', () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    for (const count of [1, 2, 3, 10, 99, 100, 101, 1_000]) {
      const latencies = Array.from({ length: count }, () => Math.round(Math.exp(random() * 11)));
      latencies.sort((one, other) => one - other);
      for (const share of [0.01, 0.5, 0.99, 1]) {
        const bucket = latencyBucket(latencies[Math.ceil(share * count) - 1]!);
        const found = latencyQuantile(bucketsOf(latencies), share)!;
        expect(found).toBeGreaterThanOrEqual(LATENCY_BOUNDS_MS[bucket - 1] ?? 0);
        expect(found).toBeLessThanOrEqual(LATENCY_BOUNDS_MS[bucket] ?? 65_536);
      }
    }
  });

  it('interpolate within a bucket', () => {
    const buckets = bucketsOf(Array.from({ length: 100 }, () => 100));
    expect([0.25, 0.5, 1].map((share) => latencyQuantile(buckets, share))).toEqual([80, 96, 128]);
  });

  it('are capped at the last bound', () => {
    expect(latencyQuantile(bucketsOf([1, 100_000, 100_000]), 0.99)).toBe(65_536);
  });
});
