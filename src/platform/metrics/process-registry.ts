import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';

/** Of several processes, the one whose event loop is latest counts: the library would hide it in a mean. */
const LATEST_COUNTS = ['', '_p50', '_p90', '_p99'].map((part) => `nodejs_eventloop_lag${part}_seconds`);

let registry: Registry | undefined;

/** Metrics of the process itself, shared by all applications in it. */
export function processRegistry(): Registry {
  if (registry) return registry;
  collectDefaultMetrics({ register: (registry = new Registry()) });
  for (const name of LATEST_COUNTS)
    (registry.getSingleMetric(name) as Metric & { aggregator: string }).aggregator = 'max';
  return registry;
}
