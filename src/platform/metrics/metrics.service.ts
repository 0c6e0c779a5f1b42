import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { VERSION } from '../common/version.js';
import { DatabasePool } from '../database/database-pool.js';
import { CounterChildren } from './counter-children.js';
import { type Measurements, measured } from './measurements.js';
import { PlainHistogram } from './plain-histogram.js';
import { processRegistry } from './process-registry.js';
import { RequestStats } from './request-stats.js';
import { WorkerMetrics } from './worker-metrics.js';

/** Where a post came from; a label value. */
export type PostOrigin = 'user' | 'hook' | 'system' | 'remote';

const HOOK_OUTCOMES = ['ok', 'repeated', 'refused', 'failed'] as const;

/** `repeated`: the answer of an earlier call with the same idempotency key; `refused`: a 4xx; `failed`: a 5xx. */
export type HookOutcome = (typeof HOOK_OUTCOMES)[number];

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * The server's metrics, for Prometheus. All label values come from small fixed sets; routes are patterns, since a path
 * may contain a hook's secret. An observation takes well under a microsecond.
 */
@Injectable()
export class MetricsService implements BeforeApplicationShutdown {
  /** For the metrics that other modules register themselves. */
  readonly registry = new Registry();
  private readonly requests = new RequestStats();
  /** Those without labels. */
  private readonly histograms: PlainHistogram[] = [];
  private readonly posts: CounterChildren;
  private readonly executions: CounterChildren;
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
  private readonly refusals: CounterChildren;
  private readonly lags = this.histogram(
    'hookline_live_lag_seconds',
    'From the announcement of an event to its writing to all connections that get it.',
    LAG_SECONDS,
  );
  private readonly connections: Gauge;
  private readonly frames: Counter;

  constructor(
    pool: DatabasePool,
    private readonly workers: WorkerMetrics,
  ) {
    const registers = [this.registry];
    new Gauge({
      name: 'hookline_build_info',
      help: 'Always 1; the label tells the version.',
      labelNames: ['version'],
      aggregator: 'max',
      registers,
    }).set({ version: VERSION }, 1);
    this.posts = new CounterChildren(
      new Counter({
        name: 'hookline_posts_created_total',
        help: 'Stored posts by where they came from.',
        labelNames: ['origin'],
        registers,
      }),
      'origin',
    );
    this.executions = new CounterChildren(
      new Counter({
        name: 'hookline_incoming_hook_executions_total',
        help: 'Executions of incoming webhooks by outcome.',
        labelNames: ['outcome'],
        registers,
      }),
      'outcome',
    );
    for (const outcome of HOOK_OUTCOMES) this.executions.of(outcome).inc(0); // a first one is an increase, too
    this.refusals = new CounterChildren(
      new Counter({
        name: 'hookline_incoming_hook_refused_total',
        help: 'Refused calls of incoming webhooks, also of unknown ones, by error id.',
        labelNames: ['reason'],
        registers,
      }),
      'reason',
    );
    this.connections = new Gauge({
      name: 'hookline_live_connections',
      help: 'Open connections of the event stream, those not signed in yet included.',
      registers,
    });
    this.frames = new Counter({
      name: 'hookline_live_events_sent_total',
      help: 'Events written to connections of the event stream.',
      registers,
    });
    registerPoolGauges(pool, registers);
    processRegistry();
    if (workers.isWorker) workers.offer(() => this.measurements());
  }

  /** What a worker has counted outlives it. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.workers.isWorker) this.workers.report(await this.measurements());
  }

  /** A new histogram without labels, which takes less time than one of the metrics library. Make it once. */
  histogram(name: string, help: string, bounds: readonly number[]): PlainHistogram {
    const histogram = new PlainHistogram(name, help, bounds);
    this.histograms.push(histogram);
    return histogram;
  }

  /** Records one answered request. `route` is a pattern, never a path. */
  httpRequest(method: string, route: string, status: number, seconds: number): void {
    this.requests.record(method, route, status, seconds);
  }

  postsCreated(origin: PostOrigin, count = 1): void {
    this.posts.of(origin).inc(count);
  }

  incomingHookExecuted(outcome: HookOutcome): void {
    this.executions.of(outcome).inc();
  }

  /** Counts a refused call. `reason` is the id of an error. */
  incomingHookRefused(reason: string): void {
    this.refusals.of(reason).inc();
  }

  /** Records one transaction that stored `size` posts. */
  postsCommitted(size: number, seconds: number): void {
    this.batchSizes.observe(size);
    this.commits.observe(seconds);
  }

  liveConnections(count: number): void {
    this.connections.set(count);
  }

  /** Records one event that was written to `count` connections, `seconds` after it was announced. */
  liveEventSent(count: number, seconds: number): void {
    this.frames.inc(count);
    this.lags.observe(seconds);
  }

  /** All metrics in the text format of Prometheus; among several workers, those of all of them. */
  async exposition(): Promise<string> {
    if (this.workers.isWorker) return this.workers.scrape();
    const own = this.plain.map((metric) => metric.text());
    return `${own.join('\n')}\n${await this.registry.metrics()}\n${await processRegistry().metrics()}`;
  }

  private get plain(): readonly (RequestStats | PlainHistogram)[] {
    return [this.requests, ...this.histograms];
  }

  private async measurements(): Promise<Measurements> {
    const registries = [this.registry, processRegistry()];
    const registered = await Promise.all(registries.map(measured));
    return [...this.plain.flatMap((metric) => metric.measurements()), ...registered.flat()];
  }
}

function registerPoolGauges(pool: DatabasePool, registers: Registry[]): void {
  new Gauge({
    name: 'hookline_database_connections',
    help: 'Connections to the database by what they do.',
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
