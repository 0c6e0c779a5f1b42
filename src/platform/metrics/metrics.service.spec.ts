import { measured, type Measurements, merged, processRegistry } from './metrics.service.js';

describe('the metrics of several processes', () => {
  it('report the largest event loop delay', async () => {
    const names = ['', '_p50', '_p90', '_p99'].map((part) => `nodejs_eventloop_lag${part}_seconds`);
    const all = await measured(processRegistry());
    const process = (value: number): Measurements =>
      all
        .filter(({ name }) => names.includes(name))
        .map((metric) => ({ ...metric, values: [{ labels: {}, value }] }));
    const text = await merged([process(0.01), process(3), process(0.02)]).metrics();
    const values = text.split('\n').filter((line) => /^nodejs/.test(line));
    expect(values).toEqual(names.map((name) => `${name} 3`));
  });
});
