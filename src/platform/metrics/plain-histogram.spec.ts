import { Histogram, Registry } from 'prom-client';
import { merged } from './measurements.js';
import { PlainHistogram } from './plain-histogram.js';

it('tells the same as a histogram of the metrics library', async () => {
  const [name, help, buckets] = ['seconds', 'How long it takes.', [0.0005, 0.25, 1]] as const;
  const registry = new Registry();
  const known = new Histogram({ name, help, buckets: [...buckets], registers: [registry] });
  const own = new PlainHistogram(name, help, buckets);
  expect(own.text().trim()).toBe((await registry.metrics()).trim());
  for (const value of [0, 0.0005, 0.25, 0.5, 1, 1.25]) {
    known.observe(value);
    own.observe(value);
  }
  expect(own.text().trim()).toBe((await registry.metrics()).trim());
  expect((await merged([own.measurements()]).metrics()).trim()).toBe(own.text().trim());
});
