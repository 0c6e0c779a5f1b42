import { Injectable } from '@nestjs/common';
import { type Aggregator, Counter, Gauge, type Histogram } from 'prom-client';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { DeliveriesReadModel } from './deliveries.read-model.js';
import type { Lane } from './lane.js';
import { FAILURE_REASONS, type FailureReason } from './outcome.js';
import { STANDINGS } from './call-limits.js';

const FIRST_BYTE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Covers the last attempt of the default schedule. */
const ACCEPTED_SECONDS = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ...[60, 300, 1_800, 7_200, 18_000, 86_400, 345_600],
];

@Injectable()
export class DispatchMetrics {
  private readonly attempts: Counter;
  private readonly firstBytes: Histogram;
  private readonly acceptances: Histogram;
  private readonly givenUp: Counter;
  private lanes: () => Iterable<Lane> = () => [];
  private oldestDueMs: () => number = () => 0;

  constructor(metrics: MetricsService, deliveries: DeliveriesReadModel) {
    const registers = [metrics.registry];
    this.attempts = new Counter({
      name: 'hookline_delivery_attempts_total',
      help: 'Delivery attempts by outcome and kind of failure.',
      labelNames: ['outcome', 'error'],
      registers,
    });
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
    this.givenUp = new Counter({
      name: 'hookline_deliveries_given_up_total',
      help: 'Deliveries that ended without success, by reason.',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of FAILURE_REASONS) this.givenUp.inc({ reason }, 0); // so the first is an increase, too
    const open = new OpenCount(deliveries);
    const oldestDueMs = (): number => this.oldestDueMs();
    new Gauge({
      name: 'hookline_deliveries_open',
      help: 'Deliveries that are waiting or running.',
      aggregator: 'max',
      registers,
      async collect() {
        this.set(await open.current());
      },
    });
    new Gauge({
      name: 'hookline_delivery_oldest_due_seconds',
      help: 'How long the oldest due delivery had been due at the last sweep; 0 if none was.',
      aggregator: 'max',
      registers,
      collect() {
        this.set(oldestDueMs() / 1000);
      },
    });
    this.watchEndpoints(registers);
  }

  /** Sets the source of the lanes to report on. */
  watchLanes(lanes: () => Iterable<Lane>, oldestDueMs: () => number): void {
    this.lanes = lanes;
    this.oldestDueMs = oldestDueMs;
  }

  /** Counts one stored attempt. */
  attempt(outcome: string, error: string): void {
    this.attempts.inc({ outcome, error });
  }

  /** Records the time from a commit to the first byte of the reply. */
  firstByte(seconds: number): void {
    this.firstBytes.observe(seconds);
  }

  /** Records the time from storing a delivery to its acceptance. */
  accepted(seconds: number): void {
    this.acceptances.observe(seconds);
  }

  /** Counts a delivery that has failed permanently. */
  gaveUp(reason: FailureReason): void {
    this.givenUp.inc({ reason });
  }

  /** Aggregates all endpoints with deliveries in memory: metrics readers must not see their names. */
  private watchEndpoints(registers: MetricsService['registry'][]): void {
    const lanes = (): Lane[] => [...this.lanes()];
    new Gauge({
      name: 'hookline_endpoints',
      help: 'Endpoints with calls, by the result of their last calls.',
      labelNames: ['standing'],
      registers,
      collect() {
        const all = lanes();
        for (const standing of STANDINGS)
          this.set({ standing }, all.filter(({ calls }) => calls.standing === standing).length);
      },
    });
    const sum = (of: (lane: Lane) => number): number => lanes().reduce((total, lane) => total + of(lane), 0);
    const gauges: Record<string, [help: string, value: () => number, aggregator?: Aggregator]> = {
      in_flight: ['Running calls to all endpoints.', () => sum(({ calls }) => calls.running)],
      limit: ['Sum of the concurrent call limits of all endpoints.', () => sum(({ calls }) => calls.limit)],
      queued: ['Deliveries to all endpoints that wait in memory.', () => sum(({ queued }) => queued)],
      queued_most: [
        'Deliveries that wait in memory for the endpoint with the most.',
        () => lanes().reduce((most, { queued }) => Math.max(most, queued), 0),
        'max',
      ],
    };
    for (const [name, [help, value, aggregator = 'sum']] of Object.entries(gauges)) {
      new Gauge({
        name: `hookline_endpoints_${name}`,
        help,
        aggregator,
        registers,
        collect() {
          this.set(value());
        },
      });
    }
  }
}

/** Maximum number counted at once. */
const SLICE = 1_000;
const PAUSE_MS = 5;
const RECOUNT_AFTER_MS = 30_000;

/**
 * The number of open deliveries. Few are counted for each scrape. Many are counted in the background, in slices so that
 * other work continues; scrapes get the last result, or the first count so far.
 */
class OpenCount {
  private latest = 0;
  private endedAt = -Infinity;
  private isCounting = false;

  constructor(private readonly deliveries: DeliveriesReadModel) {}

  /** NaN while the database is unavailable. */
  async current(): Promise<number> {
    try {
      const few = await this.deliveries.countOpen(SLICE + 1);
      if (few <= SLICE) {
        this.endedAt = -Infinity;
        return (this.latest = few);
      }
      if (!this.isCounting && performance.now() - this.endedAt > RECOUNT_AFTER_MS)
        void this.countAll().catch(() => undefined); // a later scrape starts over
      return Math.max(few, this.latest);
    } catch {
      return NaN;
    }
  }

  private async countAll(): Promise<void> {
    this.isCounting = true;
    try {
      const end = await this.deliveries.lastOpenSeq();
      let total = 0;
      for (let last: number | undefined = 0; last !== undefined;) {
        const slice = await this.deliveries.countOpenAfter(last, end, SLICE);
        total += slice.count;
        if (this.endedAt === -Infinity) this.latest = total;
        last = slice.last;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
      }
      this.latest = total;
      this.endedAt = performance.now();
    } finally {
      this.isCounting = false;
    }
  }
}
