import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Clock } from '../../platform/common/clock.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { Lane } from './lane.js';

const FIRST_BYTE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Counting what is open takes longer the more there is. */
const RECOUNT_AFTER_MS = 10_000;
const MAX_ENDPOINTS = 100;

/** What the dispatcher counts about itself. At most 100 endpoints have figures of their own: the busiest ones. */
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
      help: 'Attempts to make a delivery by what became of it, and how the call failed where it did.',
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
      help: 'For how long the earliest open delivery has been due; 0 when none is.',
      registers,
      async collect() {
        const { firstDueAt } = await open();
        this.set(firstDueAt === undefined ? 0 : Math.max(0, clock.now() - firstDueAt) / 1000);
      },
    });
    this.watchEndpoints(registers);
  }

  /** `lanes` gives the lanes the dispatcher knows. */
  watchLanes(lanes: () => Iterable<Lane>): void {
    this.lanes = lanes;
  }

  attempt(outcome: string, error: string): void {
    this.attempts.inc({ outcome, error });
  }

  firstByte(seconds: number): void {
    this.firstBytes.observe(seconds);
  }

  private watchEndpoints(registers: MetricsService['registry'][]): void {
    const busiest = (): Lane[] => this.busiest();
    const figures: Record<string, [help: string, of: (lane: Lane) => number]> = {
      in_flight: ['Calls that an endpoint has right now.', (lane) => lane.calls.running],
      limit: ['How many calls it may have at once.', (lane) => lane.calls.limit],
      queued: ['Deliveries that wait for it in memory.', (lane) => lane.queued],
      suspect: [
        '1 when its last call failed or one hangs.',
        (lane) => Number(lane.calls.standing === 'suspect'),
      ],
    };
    for (const [name, [help, of]] of Object.entries(figures)) {
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
