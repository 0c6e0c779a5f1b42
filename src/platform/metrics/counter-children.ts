import type { Counter } from 'prom-client';

interface Child {
  inc(value?: number): void;
}

/** The children of a counter with one label, kept so that the hot path builds no label objects. */
export class CounterChildren {
  private readonly children = new Map<string, Child>();

  constructor(
    private readonly counter: Counter,
    private readonly label: string,
  ) {}

  /** The values of the label must come from a fixed set: each one stays. */
  of(value: string): Child {
    let child = this.children.get(value);
    if (!child) this.children.set(value, (child = this.counter.labels({ [this.label]: value })));
    return child;
  }
}
