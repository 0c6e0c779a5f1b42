import type { Measurements } from './measurements.js';

/**
 * A histogram without labels, for what is observed with every commit. Hand-written as RequestStats is: the one of the metrics
 * library makes a text of a number to find its bucket.
 */
export class PlainHistogram {
  /** Counts by the smallest bound that fits; the last is for values above all bounds. */
  private readonly buckets: number[];
  private sum = 0;

  constructor(
    private readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {
    this.buckets = Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    this.sum += value;
    let bucket = 0;
    while (bucket < this.bounds.length && value > (this.bounds[bucket] ?? Infinity)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }

  /** The histogram in the text format of Prometheus. */
  text(): string {
    const { name, help, bounds, buckets, sum } = this;
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
    let count = 0;
    buckets.forEach((observed, bucket) => {
      count += observed;
      lines.push(`${name}_bucket{le="${bounds[bucket] ?? '+Inf'}"} ${count}`);
    });
    lines.push(`${name}_sum ${sum}`, `${name}_count ${count}`);
    return `${lines.join('\n')}\n`;
  }

  /** The histogram in the form in which those of several processes are merged. */
  measurements(): Measurements {
    const { name, help, bounds, buckets, sum } = this;
    let count = 0;
    const values = buckets.map((observed, bucket) => {
      count += observed;
      return { metricName: `${name}_bucket`, labels: { le: bounds[bucket] ?? '+Inf' }, value: count };
    });
    const totals = [
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
    return [{ name, help, type: 'histogram', aggregator: 'sum', values: [...values, ...totals] }];
  }
}
