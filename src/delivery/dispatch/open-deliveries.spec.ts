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

  beforeEach(() => {
    rows = 0;
    limits = [];
    open = new OpenDeliveries();
    metrics = new MetricsService({} as never, new WorkerMetrics());
    const countOpen = (limit: number): Promise<number> => {
      limits.push(limit);
      return Promise.resolve(Math.min(rows, limit));
    };
    new DispatchMetrics(metrics, { countOpen } as unknown as DeliveriesRepository, open);
    jest.useFakeTimers({ now: 0 });
  });
  afterEach(() => jest.useRealTimers());

  const scrape = async (): Promise<number> => {
    jest.advanceTimersByTime(11_000);
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
    expect(await scrape()).toBe(400_000);
    limits = [];
    open.opened(30);
    open.settled(10);
    expect(await scrape()).toBe(400_020);
    expect(counted()).toBeLessThan(2_000);
    rows = 3;
    expect(await scrape()).toBe(3);
    rows = 5_000; // of which it has not heard
    expect(await scrape()).toBeGreaterThan(1_000);
    expect(counted()).toBeLessThan(6_000);
  });
});
