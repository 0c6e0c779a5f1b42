import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from 'prom-client';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { VERSION } from '../common/version.js';
import { DatabasePool } from '../database/database-pool.js';
import { WorkerMetrics } from './worker-metrics.js';

/** One metric in the format of prom-client, as received from another process. */
interface Measurement {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How values of several processes are combined; counters and histograms are always summed. */
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
  return (await registry.getMetricsAsJSON()) as unknown as Measurements; // prom-client declares `type` as a number
}

/** A registry with the metrics of several processes, each combined with its aggregator. */
export function merged(all: readonly Measurements[]): Registry {
  return AggregatorRegistry.aggregate(all as unknown as object[]);
}

/** The event loop lag of all processes is their maximum: a mean, the default, would hide it. */
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

type PostOrigin = 'user' | 'hook' | 'system' | 'remote';

const HOOK_OUTCOMES = ['ok', 'repeated', 'ignored', 'refused', 'failed'] as const;

/** `repeated`: answered from an earlier call with the same idempotency key; `ignored`: posts nothing; `refused`: 4xx; `failed`: 5xx. */
type HookOutcome = (typeof HOOK_OUTCOMES)[number];

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The metrics for Prometheus. Labels come from small fixed sets; routes are patterns, as in the access log. */
@Injectable()
export class MetricsService implements BeforeApplicationShutdown {
  readonly registry = new Registry();
  private readonly requests = this.counter(
    'hookline_http_requests_total',
    'Answered requests by method, route pattern and status.',
    ['method', 'route', 'status'],
  );
  private readonly durations = new Histogram({
    name: 'hookline_http_request_duration_seconds',
    help: 'Time from the start of a request to the end of its response, by method and route pattern.',
    labelNames: ['method', 'route'],
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  private readonly posts = this.counter('hookline_posts_created_total', 'Stored posts by origin.', [
    'origin',
  ]);
  private readonly executions = this.counter(
    'hookline_incoming_hook_executions_total',
    'Executions of incoming webhooks by outcome.',
    ['outcome'],
  );
  private readonly batchSizes = this.histogram(
    'hookline_post_commit_batch_size',
    'Posts that shared one commit.',
    BATCH_SIZES,
  );
  private readonly commits = this.histogram(
    'hookline_post_commit_seconds',
    'Duration of the transactions that store posts.',
    COMMIT_SECONDS,
  );
  private readonly refusals = this.counter(
    'hookline_incoming_hook_refused_total',
    'Refused calls of incoming webhooks, including unknown ones, by error id.',
    ['reason'],
  );
  private readonly lags = this.histogram(
    'hookline_live_lag_seconds',
    'Time from the announcement of an event until it is written to all connections that receive it.',
    LAG_SECONDS,
  );
  private readonly connections = new Gauge({
    name: 'hookline_live_connections',
    help: 'Open WebSocket connections, including unauthenticated ones.',
    registers: [this.registry],
  });
  private readonly frames = this.counter(
    'hookline_live_events_sent_total',
    'Events written to WebSocket connections.',
  );

  constructor(
    pool: DatabasePool,
    private readonly workers: WorkerMetrics,
  ) {
    const registers = [this.registry];
    new Gauge({
      name: 'hookline_build_info',
      help: 'Always 1; the label is the version.',
      labelNames: ['version'],
      aggregator: 'max',
      registers,
    }).set({ version: VERSION }, 1);
    for (const outcome of HOOK_OUTCOMES) this.executions.inc({ outcome }, 0); // makes the first an increase
    registerPoolGauges(pool, registers);
    processRegistry();
    if (workers.isWorker) workers.offer(() => this.measurements());
  }

  /** Reports the final counts of a worker, which are kept after it exits. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.workers.isWorker) this.workers.report(await this.measurements());
  }

  /** Creates a histogram without labels. Call it once per name. */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    return new Histogram({ name, help, buckets: [...bounds], registers: [this.registry] });
  }

  /** Records one answered request. `route` is a pattern, never a path. */
  httpRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.inc({ method, route, status });
    this.durations.observe({ method, route }, seconds);
  }

  postsCreated(origin: PostOrigin, count = 1): void {
    this.posts.inc({ origin }, count);
  }

  incomingHookExecuted(outcome: HookOutcome): void {
    this.executions.inc({ outcome });
  }

  incomingHookRefused(reason: string): void {
    this.refusals.inc({ reason });
  }

  postsCommitted(size: number, seconds: number): void {
    this.batchSizes.observe(size);
    this.commits.observe(seconds);
  }

  liveConnections(count: number): void {
    this.connections.set(count);
  }

  /** Records an event written to `count` connections, `seconds` after its announcement. */
  liveEventSent(count: number, seconds: number): void {
    this.frames.inc(count);
    this.lags.observe(seconds);
  }

  /** All metrics in the Prometheus text format; in a worker, those of all workers. */
  async exposition(): Promise<string> {
    if (this.workers.isWorker) return this.workers.scrape();
    return `${await this.registry.metrics()}\n${await processRegistry().metrics()}`;
  }

  private async measurements(): Promise<Measurements> {
    const registries = [this.registry, processRegistry()];
    return (await Promise.all(registries.map(measured))).flat();
  }

  counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

function registerPoolGauges(pool: DatabasePool, registers: Registry[]): void {
  new Gauge({
    name: 'hookline_database_connections',
    help: 'Connections to the database by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, idle } = pool.state;
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'hookline_database_waiting',
    help: 'Callers that wait for a connection to the database.',
    registers,
    collect() {
      this.set(pool.state.waiting);
    },
  });
}
