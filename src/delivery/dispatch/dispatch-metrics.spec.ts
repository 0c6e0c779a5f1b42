import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { WorkerMetrics } from '../../platform/metrics/worker-metrics.js';
import type { DeliveriesReadModel } from './deliveries.read-model.js';
import { DispatchMetrics } from './dispatch-metrics.js';

describe('the open deliveries gauge', () => {
  let rows: number;
  let limits: number[];
  let metrics: MetricsService;
  let isAway: boolean;

  beforeEach(() => {
    rows = 0;
    limits = [];
    isAway = false;
    metrics = new MetricsService({} as never, new WorkerMetrics());
    const answer = <T>(value: T): Promise<T> =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(value);
    const repository = {
      countOpen: (limit: number) => {
        limits.push(limit);
        return answer(Math.min(rows, limit));
      },
      lastOpenSeq: () => answer(rows),
      // Rows are numbered from one.
      countOpenAfter: (seq: number, end: number, limit: number) => {
        limits.push(limit);
        const count = Math.min(end - seq, limit);
        return answer({ count, last: count < limit ? undefined : seq + count });
      },
    };
    new DispatchMetrics(metrics, repository as unknown as DeliveriesReadModel);
    jest.useFakeTimers({ now: 0 });
  });
  afterEach(() => jest.useRealTimers());

  const scrape = async (afterMs = 11_000): Promise<number> => {
    await jest.advanceTimersByTimeAsync(afterMs);
    const text = await metrics.registry.getSingleMetricAsString('hookline_deliveries_open');
    return Number(/^hookline_deliveries_open (.+)$/m.exec(text)?.[1]);
  };
  const counted = (): number => limits.reduce((sum, limit) => sum + Math.min(rows, limit), 0);

  it('counts few of them exactly', async () => {
    rows = 7;
    expect(await scrape()).toBe(7);
  });

  it('counts many of them now and then', async () => {
    rows = 400_000;
    await scrape();
    expect(await scrape()).toBe(400_000);
    limits = [];
    rows = 400_020;
    expect(await scrape()).toBe(400_000);
    expect(counted()).toBeLessThan(2_000);
    await scrape(30_000);
    expect(await scrape()).toBe(400_020);
    rows = 3;
    expect(await scrape()).toBe(3);
    rows = 5_000;
    await scrape();
    expect(await scrape()).toBe(5_000);
  });

  it('does not block a scrape: it returns the count so far', async () => {
    rows = 400_000;
    expect(await scrape()).toBe(1_001);
    const soFar = await scrape(500);
    expect(soFar).toBeGreaterThan(1_001);
    expect(soFar).toBeLessThan(400_000);
    expect(Math.max(...limits)).toBeLessThanOrEqual(1_001);
    expect(await scrape()).toBe(400_000);
  });

  it('recounts after a database outage', async () => {
    rows = 400_000;
    expect(await scrape()).toBe(1_001);
    isAway = true;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await scrape()).toBeNaN();
    isAway = false;
    await scrape();
    expect(await scrape()).toBe(400_000);
  });
});
