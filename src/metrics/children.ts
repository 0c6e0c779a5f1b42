import type { Counter, Histogram } from 'prom-client';

type Labels = Record<string, string>;

/** A bound on label sets, should one ever come from outside; what lies beyond is counted as one. */
const MAX_CHILDREN = 5_000;

/** The children of a metric by a key of the caller, so that the hot path neither builds nor hashes label objects anew. */
abstract class Children<C> {
  private readonly children = new Map<string, C>();

  protected abstract child(labels: Labels): C;

  of(key: string, labels: () => Labels): C {
    return this.children.get(key) ?? this.add(key, labels());
  }

  private add(key: string, labels: Labels): C {
    if (this.children.size >= MAX_CHILDREN) return this.child(mapValues(labels, () => 'other'));
    const child = this.child(labels);
    this.children.set(key, child);
    return child;
  }
}

export class CounterChildren extends Children<{ inc(value?: number): void }> {
  constructor(private readonly metric: Counter) {
    super();
  }

  protected child(labels: Labels): { inc(value?: number): void } {
    return this.metric.labels(labels);
  }
}

export class HistogramChildren extends Children<{ observe(value: number): void }> {
  constructor(private readonly metric: Histogram) {
    super();
  }

  protected child(labels: Labels): { observe(value: number): void } {
    return this.metric.labels(labels);
  }
}

function mapValues(labels: Labels, to: (value: string) => string): Labels {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, to(value)]));
}
