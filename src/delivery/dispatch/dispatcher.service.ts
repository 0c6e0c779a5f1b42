import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/common/clock.js';
import { PeriodicTask } from '../../platform/database/periodic-task.js';
import { DispatchSettings } from './dispatch.settings.js';
import { Bulkheads } from './bulkheads.js';
import { Claims } from './claims.js';
import { LaneQueueRepository } from './lane-queue.repository.js';
import type { Delivery } from './delivery.entity.js';
import { DeliveryRunner } from './delivery-runner.js';
import { DispatchLimits } from './dispatch-limits.js';
import { DispatchMetrics } from './dispatch-metrics.js';
import { LaneDrain } from './lane-drain.js';
import { LaneReader } from './lane-reader.js';
import { LaneSweep } from './lane-sweep.js';
import { OpenDeliveries } from './open-deliveries.js';
import { OutcomeRecorder } from './outcome-recorder.js';

const TICK_MS = 250;
const REVIEW_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 30_000;
/** How long running calls may take to finish when the process stops. */
const GRACE_MS = 3_000;

/**
 * Decides when to drain which lane. The rows are the source of truth. New ones are handed over in memory after their
 * commit; rows that do not fit there, are due later, or were left by an earlier process are read from the table. A
 * periodic sweep over the whole table makes sure that none depends on the hand-over.
 */
@Injectable()
export class DispatcherService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly claims: Claims;
  private readonly bulkheads: Bulkheads;
  private readonly lanes: LaneDrain;
  private readonly sweep: LaneSweep;
  private readonly drains = taskOf('Due deliveries cannot be started.', () => this.drainDueLanes());
  private readonly reviews = taskOf('Endpoints cannot be reviewed.', () => this.bulkheads.review());
  private readonly sweeps = taskOf('Lanes with due deliveries cannot be read.', () => this.sweepLanes());

  constructor(
    repository: LaneQueueRepository,
    runner: DeliveryRunner,
    private readonly recorder: OutcomeRecorder,
    private readonly clock: Clock,
    metrics: DispatchMetrics,
    settings: DispatchSettings,
    limits: DispatchLimits,
    private readonly open: OpenDeliveries,
  ) {
    const bulkheads = new Bulkheads(
      settings.outgoingConcurrency,
      settings.outgoingPerEndpoint,
      undefined,
      limits.circuit,
    );
    const claims = new Claims(limits);
    const reader = new LaneReader(repository, claims, bulkheads, clock, limits, () =>
      this.lanes.schedulePass(),
    );
    this.bulkheads = bulkheads;
    this.claims = claims;
    this.lanes = new LaneDrain(bulkheads, claims, reader, runner, recorder);
    this.sweep = new LaneSweep(repository, bulkheads, clock);
    metrics.watchLanes(
      () => bulkheads.all(),
      () => this.sweep.oldestDueMs,
    );
  }

  onApplicationBootstrap(): void {
    this.drains.start(TICK_MS);
    this.reviews.start(REVIEW_EVERY_MS);
    this.sweeps.start(SWEEP_EVERY_MS);
    void this.sweeps.run();
  }

  /** Starts no more calls, waits a while for running ones, and stores their outcomes. */
  async beforeApplicationShutdown(): Promise<void> {
    this.sweep.stop();
    const stopped = [this.drains, this.reviews, this.sweeps].map((task) => task.stop());
    const cut = setTimeout(() => {
      this.lanes.abort();
      this.recorder.stopWaiting();
    }, GRACE_MS);
    await this.lanes.stop();
    clearTimeout(cut);
    await this.recorder.close();
    await Promise.all(stopped);
  }

  /** Accepts deliveries whose rows have just been committed. */
  offer(deliveries: readonly Delivery[]): void {
    const committedAt = performance.now();
    for (const delivery of deliveries) {
      if (delivery.status !== 'pending') continue;
      this.open.opened(1);
      this.lanes.offer(delivery, committedAt);
    }
  }

  /**
   * Call it when rows of a lane were made due, or when the receiver of an ordered lane is back. If a running call of an
   * ordered lane then fails, it is repeated at once.
   */
  wake(laneName: string): void {
    const lane = this.bulkheads.lane(laneName);
    lane.wake();
    this.bulkheads.resume(lane, true);
    this.lanes.drain(lane);
  }

  /** Call it when the receiver of an ordered lane answers: ends the pause after a failure. */
  resume(laneName: string): void {
    const lane = this.bulkheads.find(laneName);
    if (lane?.resume(this.clock.now())) this.lanes.drain(lane);
  }

  /** Call it when rows were cancelled: they are not called any more. */
  drop(matches: (delivery: Delivery) => boolean): void {
    this.claims.drop(matches);
  }

  /** Whether the call of a delivery is in progress. */
  isInFlight(deliveryId: string): boolean {
    return this.claims.isCalling(deliveryId);
  }

  /** The ids of an owner's deliveries whose calls are in progress; at most OUTGOING_CONCURRENCY. */
  inFlightOf(ownerId: string): string[] {
    const ids: string[] = [];
    for (const { delivery } of this.claims.calling()) if (delivery.ownerId === ownerId) ids.push(delivery.id);
    return ids;
  }

  private drainDueLanes(): void {
    const now = this.clock.now();
    for (const lane of this.bulkheads.all()) {
      this.bulkheads.resume(lane);
      if (lane.dueAt <= now) this.lanes.drain(lane);
    }
    this.lanes.schedulePass(); // even if nothing is due: an outage may have stopped earlier passes
  }

  private async sweepLanes(): Promise<void> {
    try {
      await this.sweep.run();
    } finally {
      this.drainDueLanes();
    }
  }
}

function taskOf(failure: string, work: () => Promise<void> | void): PeriodicTask {
  return new PeriodicTask(DispatcherService.name, failure, work);
}
