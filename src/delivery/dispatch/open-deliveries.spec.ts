import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { WorkerMetrics } from '../../platform/metrics/worker-metrics.js';
import type { DeliveriesRepository } from './deliveries.repository.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { OpenDeliveries } from './open-deliveries.js';

describe('the gauge of open deliveries', () => {
  let rows: number;
  let limits: number[];
  let open: OpenDeliveries;
  let metrics: MetricsService;
  let isAway: boolean;

  beforeEach(() => {
    rows = 0;
    limits = [];
    isAway = false;
    open = new OpenDeliveries();
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
    new DispatchMetrics(metrics, repository as unknown as DeliveriesRepository, open);
    jest.useFakeTimers({ now: 0 });
  });
  afterEach(() => jest.useRealTimers());

  const scrape = async (afterMs = 11_000): Promise<number> => {
    await jest.advanceTimersByTimeAsync(afterMs);
    const text = await metrics.registry.getSingleMetricAsString('hookline_deliveries_open');
    return Number(/^hookline_deliveries_open (.+)$/m.exec(text)?.[1]);
  };
  const counted = (): number => limits.reduce((sum, limit) => sum + Math.min(rows, limit), 0);

  it('counts few of them exactly, whatever was added up', async () => {
    rows = 7;
    expect(await scrape()).toBe(7);
    open.settled(20);
    expect(await scrape()).toBe(7);
  });

  it('counts many of them once, and then adds up what changes', async () => {
    rows = 400_000;
    await scrape();
    expect(await scrape()).toBe(400_000);
    limits = [];
    open.opened(30);
    open.settled(10);
    expect(await scrape()).toBe(400_020);
    expect(counted()).toBeLessThan(2_000);
    rows = 3;
    expect(await scrape()).toBe(3);
    rows = 5_000; // not reported to it
    expect(await scrape()).toBeGreaterThan(1_000);
    expect(counted()).toBeLessThan(6_000);
  });

  it('lets no scrape wait for all of them: it gives what was counted so far', async () => {
    rows = 400_000;
    expect(await scrape()).toBe(1_001);
    const soFar = await scrape(500);
    expect(soFar).toBeGreaterThan(1_001);
    expect(soFar).toBeLessThan(400_000);
    open.opened(50);
    open.settled(20);
    expect(Math.max(...limits)).toBeLessThanOrEqual(1_001);
    expect(await scrape()).toBe(400_030);
  });

  it('counts anew after the database was away', async () => {
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
