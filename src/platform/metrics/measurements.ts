import { AggregatorRegistry, type Registry } from 'prom-client';

/** One metric in the form of the metrics library, as it is when it comes from another process. */
export interface Measurement {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How the values of several processes become one; counters and histograms are always added up. */
  readonly aggregator: string;
  readonly values: readonly {
    readonly labels: Readonly<Record<string, string | number>>;
    readonly value: number;
    readonly metricName?: string;
  }[];
}

/** The metrics of one process. */
export type Measurements = readonly Measurement[];

/** The metrics of a registry. */
export async function measured(registry: Registry): Promise<Measurements> {
  return (await registry.getMetricsAsJSON()) as unknown as Measurements; // the types of the library tell `type` as a number
}

/** A registry with the metrics of several processes, each one aggregated as it says. */
export function merged(all: readonly Measurements[]): Registry {
  return AggregatorRegistry.aggregate(all as unknown as object[]);
}
