import { Injectable } from '@nestjs/common';
import { type Aggregator, Counter, Gauge, type Histogram } from 'prom-client';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { Lane } from './lane.js';
import { FAILURE_REASONS, type FailureReason } from './outcome.js';
import { OpenCount, OpenDeliveries } from './open-deliveries.js';
import type { Standing } from './lane-calls.js';

const FIRST_BYTE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Covers the last attempt of the default schedule. */
const ACCEPTED_SECONDS = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ...[60, 300, 1_800, 7_200, 18_000, 86_400, 345_600],
];
const STANDINGS: readonly Standing[] = ['trusted', 'unknown', 'suspect'];

@Injectable()
export class DispatchMetrics {
  private readonly attempts: Counter;
  private readonly firstBytes: Histogram;
  private readonly acceptances: Histogram;
  private readonly givenUp: Counter;
  private lanes: () => Iterable<Lane> = () => [];
  private oldestDueMs: () => number = () => 0;

  constructor(metrics: MetricsService, repository: DeliveriesRepository, openDeliveries: OpenDeliveries) {
    const registers = [metrics.registry];
    this.attempts = new Counter({
      name: 'hookline_delivery_attempts_total',
      help: 'Delivery attempts by outcome and kind of failure.',
      labelNames: ['outcome', 'error'],
      registers,
    });
    this.firstBytes = metrics.histogram(
      'hookline_delivery_first_byte_seconds',
      'From the commit of a delivery to the first byte of the reply to its first attempt.',
      FIRST_BYTE_SECONDS,
    );
    this.acceptances = metrics.histogram(
      'hookline_delivery_accepted_seconds',
      'From the storing of a delivery to the 2xx that accepted it, with all waiting and earlier attempts.',
      ACCEPTED_SECONDS,
    );
    this.givenUp = new Counter({
      name: 'hookline_deliveries_given_up_total',
      help: 'Deliveries that are not attempted again although none was accepted, by reason.',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of FAILURE_REASONS) this.givenUp.inc({ reason }, 0); // so the first is an increase, too
    const open = new OpenCount(repository, openDeliveries);
    const oldestDueMs = (): number => this.oldestDueMs();
    new Gauge({
      name: 'hookline_deliveries_open',
      help: 'Deliveries that are waiting or being made.',
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
      help: 'Endpoints that are being called, by how their last calls ended.',
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
      limit: [
        'The limits of concurrent calls of all endpoints, added up.',
        () => sum(({ calls }) => calls.limit),
      ],
      queued: ['Deliveries to all endpoints that wait in memory.', () => sum(({ queued }) => queued)],
      queued_most: [
        'Deliveries that wait in memory for the endpoint that has most of them.',
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
