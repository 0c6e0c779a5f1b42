import { Injectable } from '@nestjs/common';
import { type Aggregator, Gauge } from 'prom-client';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { STANDINGS } from './call-limits.js';
import type { Lane } from './lane.js';
import { LanesReadModel } from './lanes.read-model.js';
import { FAILURE_REASONS } from './outcome.js';

const FIRST_BYTE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Covers the last attempt of the default schedule. */
const ACCEPTED_SECONDS = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ...[60, 300, 1_800, 7_200, 18_000, 86_400, 345_600],
];

const FEW = 10_000;
const RECOUNT_AFTER_MS = 30_000;

/** The metrics of deliveries. Endpoints are aggregated, because metrics readers must not see their names. */
@Injectable()
export class DispatchMetrics {
  readonly attempts;
  readonly givenUp;
  readonly firstBytes;
  readonly acceptances;
  private readonly open = {
    latest: 0,
    endedAt: -Infinity,
    counting: undefined as Promise<number> | undefined,
  };
  private lanes: () => Iterable<Lane> = () => [];
  private oldestDueMs: () => number = () => 0;

  constructor(
    private readonly metrics: MetricsService,
    queue: LanesReadModel,
  ) {
    this.attempts = metrics.counter(
      'hookline_delivery_attempts_total',
      'Delivery attempts by outcome and kind of failure.',
      ['outcome', 'error'],
    );
    this.givenUp = metrics.counter(
      'hookline_deliveries_given_up_total',
      'Deliveries that ended without success, by reason.',
      ['reason'],
    );
    for (const reason of FAILURE_REASONS) this.givenUp.inc({ reason }, 0); // so the first is an increase, too
    this.firstBytes = metrics.histogram(
      'hookline_delivery_first_byte_seconds',
      'Time from the commit of a delivery to the first byte of the reply to its first attempt.',
      FIRST_BYTE_SECONDS,
    );
    this.acceptances = metrics.histogram(
      'hookline_delivery_accepted_seconds',
      'Time from storing a delivery to the 2xx that accepted it, including all waiting and earlier attempts.',
      ACCEPTED_SECONDS,
    );
    this.gauge('deliveries_open', 'Deliveries that are waiting or running.', 'max', () =>
      this.openCount(queue).catch(() => NaN),
    );
    this.gauge(
      'delivery_oldest_due_seconds',
      'How long the oldest due delivery had been due at the last sweep; 0 if none was.',
      'max',
      () => this.oldestDueMs() / 1000,
    );
    this.watchEndpoints();
  }

  /** Sets the source of the lanes to report on. */
  watchLanes(lanes: () => Iterable<Lane>, oldestDueMs: () => number): void {
    this.lanes = lanes;
    this.oldestDueMs = oldestDueMs;
  }

  /** Many open deliveries are counted at most every 30 s; until then, and while they are counted, the last count counts. */
  private async openCount(queue: LanesReadModel): Promise<number> {
    const { latest, counting } = this.open;
    const isRecent = performance.now() - this.open.endedAt < RECOUNT_AFTER_MS;
    if (latest > FEW && (isRecent || counting)) return latest;
    this.open.counting ??= queue
      .countOpen()
      .then((count) => {
        Object.assign(this.open, { latest: count, endedAt: performance.now() });
        return count;
      })
      .finally(() => (this.open.counting = undefined));
    return latest > FEW ? latest : this.open.counting;
  }

  private watchEndpoints(): void {
    const lanes = (): Lane[] => [...this.lanes()];
    new Gauge({
      name: 'hookline_endpoints',
      help: 'Endpoints with calls, by the result of their last calls.',
      labelNames: ['standing'],
      registers: [this.metrics.registry],
      collect() {
        const all = lanes();
        for (const standing of STANDINGS)
          this.set({ standing }, all.filter(({ calls }) => calls.standing === standing).length);
      },
    });
    const sum = (of: (lane: Lane) => number): number => lanes().reduce((total, lane) => total + of(lane), 0);
    this.gauge('endpoints_in_flight', 'Running calls to all endpoints.', 'sum', () =>
      sum(({ calls }) => calls.running),
    );
    this.gauge('endpoints_limit', 'Sum of the concurrent call limits of all endpoints.', 'sum', () =>
      sum(({ calls }) => calls.limit),
    );
    this.gauge('endpoints_queued', 'Deliveries to all endpoints that wait in memory.', 'sum', () =>
      sum(({ queued }) => queued),
    );
    this.gauge(
      'endpoints_queued_most',
      'Deliveries that wait in memory for the endpoint with the most.',
      'max',
      () => lanes().reduce((most, { queued }) => Math.max(most, queued), 0),
    );
  }

  private gauge(
    name: string,
    help: string,
    aggregator: Aggregator,
    value: () => number | Promise<number>,
  ): void {
    new Gauge({
      name: `hookline_${name}`,
      help,
      aggregator,
      registers: [this.metrics.registry],
      async collect() {
        this.set(await value());
      },
    });
  }
}
