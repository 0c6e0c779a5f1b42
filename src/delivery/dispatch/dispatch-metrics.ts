import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Clock } from '../../platform/common/clock.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { Lane } from './lane.js';

const FIRST_BYTE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Counting open deliveries takes longer the more there are. */
const RECOUNT_AFTER_MS = 10_000;
const MAX_ENDPOINTS = 100;

/** The metrics of the dispatcher. Only the 100 busiest endpoints have their own. */
@Injectable()
export class DispatchMetrics {
  private readonly attempts: Counter;
  private readonly firstBytes: Histogram;
  private lanes: () => Iterable<Lane> = () => [];
  private counted: Promise<{ count: number; firstDueAt: number | undefined }> | undefined;
  private countedAt = -Infinity;

  constructor(
    metrics: MetricsService,
    private readonly repository: DeliveriesRepository,
    clock: Clock,
  ) {
    const registers = [metrics.registry];
    this.attempts = new Counter({
      name: 'hookline_delivery_attempts_total',
      help: 'Delivery attempts by outcome and kind of failure.',
      labelNames: ['outcome', 'error'],
      registers,
    });
    this.firstBytes = new Histogram({
      name: 'hookline_delivery_first_byte_seconds',
      help: 'From the commit of a delivery to the first byte of the reply to its first attempt.',
      buckets: FIRST_BYTE_SECONDS,
      registers,
    });
    const open = (): Promise<{ count: number; firstDueAt: number | undefined }> => this.open();
    new Gauge({
      name: 'hookline_deliveries_open',
      help: 'Deliveries that are waiting or being made.',
      registers,
      async collect() {
        this.set((await open()).count);
      },
    });
    new Gauge({
      name: 'hookline_delivery_oldest_due_seconds',
      help: 'How long the oldest due delivery has been due; 0 if none is.',
      registers,
      async collect() {
        const { firstDueAt } = await open();
        this.set(firstDueAt === undefined ? 0 : Math.max(0, clock.now() - firstDueAt) / 1000);
      },
    });
    this.watchEndpoints(registers);
  }

  /** Sets the source of the lanes to report on. */
  watchLanes(lanes: () => Iterable<Lane>): void {
    this.lanes = lanes;
  }

  /** Counts one stored attempt. */
  attempt(outcome: string, error: string): void {
    this.attempts.inc({ outcome, error });
  }

  /** Records the time from a commit to the first byte of the reply. */
  firstByte(seconds: number): void {
    this.firstBytes.observe(seconds);
  }

  private watchEndpoints(registers: MetricsService['registry'][]): void {
    const busiest = (): Lane[] => this.busiest();
    const gauges: Record<string, [help: string, of: (lane: Lane) => number]> = {
      in_flight: ['Running calls to an endpoint.', (lane) => lane.calls.running],
      limit: ['The limit of concurrent calls to an endpoint.', (lane) => lane.calls.limit],
      queued: ['Deliveries to an endpoint that wait in memory.', (lane) => lane.queued],
      suspect: [
        '1 if the last call to an endpoint failed or a call hangs.',
        (lane) => Number(lane.calls.standing === 'suspect'),
      ],
    };
    for (const [name, [help, of]] of Object.entries(gauges)) {
      new Gauge({
        name: `hookline_endpoint_${name}`,
        help,
        labelNames: ['endpoint'],
        registers,
        collect() {
          this.reset();
          for (const lane of busiest()) this.set({ endpoint: lane.name }, of(lane));
        },
      });
    }
  }

  private busiest(): Lane[] {
    return [...this.lanes()]
      .sort((a, b) => b.calls.running + b.queued - (a.calls.running + a.queued))
      .slice(0, MAX_ENDPOINTS);
  }

  private open(): Promise<{ count: number; firstDueAt: number | undefined }> {
    const now = performance.now();
    if (!this.counted || now - this.countedAt > RECOUNT_AFTER_MS) {
      this.countedAt = now;
      this.counted = this.repository.open().catch(() => ({ count: NaN, firstDueAt: undefined }));
    }
    return this.counted;
  }
}
