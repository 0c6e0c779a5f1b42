import type { Measurements } from '../../platform/metrics/metrics.service.js';
import { MergedMetrics } from './merged-metrics.js';
import type { WorkerProcess } from './worker-process.js';

/** A worker with the given numbers of posts and open connections. */
class Worker {
  isFrozen = false;

  constructor(
    private readonly metrics: MergedMetrics,
    public posts: number,
    public connections: number,
    public open = 0,
  ) {}

  get asProcess(): WorkerProcess {
    return this as never;
  }

  measure(): Promise<void> {
    if (!this.isFrozen) this.metrics.keep(this.asProcess, this.measurements);
    return Promise.resolve();
  }

  private get measurements(): Measurements {
    const one = (value: number) => ({ help: 'Some.', values: [{ labels: {}, value }] });
    return [
      { name: 'posts', type: 'counter', aggregator: 'sum', ...one(this.posts) },
      { name: 'connections', type: 'gauge', aggregator: 'sum', ...one(this.connections) },
      { name: 'open', type: 'gauge', aggregator: 'max', ...one(this.open) },
    ];
  }
}

describe('MergedMetrics', () => {
  let metrics: MergedMetrics;
  beforeEach(() => (metrics = new MergedMetrics()));

  const values = async (...workers: Worker[]): Promise<Record<string, number>> => {
    const lines = (await metrics.text(workers.map(({ asProcess }) => asProcess))).split('\n');
    const series = lines.filter((line) => line !== '' && !line.startsWith('#'));
    return Object.fromEntries(series.map((line) => line.split(' ')).map(([name, n]) => [name, Number(n)]));
  };

  it('adds the counts of all workers, but not shared values', async () => {
    const [one, two] = [new Worker(metrics, 1, 10, 7), new Worker(metrics, 2, 20, 8)];
    expect(await values(one, two)).toEqual({ posts: 3, connections: 30, open: 8 });
  });

  it('keeps the counts of stopped workers, and nothing else of them', async () => {
    const survivor = new Worker(metrics, 1, 10, 7);
    for (const posts of [2, 3, 4]) {
      const gone = new Worker(metrics, posts, 20, 8);
      await values(survivor, gone);
      metrics.end(gone.asProcess);
    }
    survivor.posts = 100;
    for (let n = 0; n < 3; n++)
      expect(await values(survivor)).toEqual({ posts: 100 + 2 + 3 + 4, connections: 10, open: 7 });
  });

  it('uses the last values of a worker that does not answer', async () => {
    const [one, two] = [new Worker(metrics, 1, 10), new Worker(metrics, 2, 20)];
    await values(one, two);
    two.isFrozen = true;
    two.posts = one.posts = 50;
    expect((await values(one, two))['posts']).toBe(52);
  });

  it('includes nothing from a worker that ended before its first report', async () => {
    metrics.end(new Worker(metrics, 5, 5).asProcess);
    expect(await values(new Worker(metrics, 1, 1))).toEqual({ posts: 1, connections: 1, open: 0 });
  });
});
