import type { Counter } from 'prom-client';

interface Child {
  inc(value?: number): void;
}

/** The children of a counter with one label, cached so that hot paths build no label objects. */
export class CounterChildren {
  private readonly children = new Map<string, Child>();

  constructor(
    private readonly counter: Counter,
    private readonly label: string,
  ) {}

  /** Label values must come from a fixed set: every child is kept. */
  of(value: string): Child {
    let child = this.children.get(value);
    if (!child) this.children.set(value, (child = this.counter.labels({ [this.label]: value })));
    return child;
  }
}
